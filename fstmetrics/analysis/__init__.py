"""What systems get wrong, from the records that scoring writes.

`read_records` reads them, `error_counts` adds up their errors, `oracle_scores` the scores of oracles beside the 1-best,
`side_by_side` compares two systems; `terms` counts terms and tagged spans; `savings` says what grammars save.
"""
