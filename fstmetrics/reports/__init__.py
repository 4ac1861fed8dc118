"""Results for people: `summary` and the `_tables` of each command, `alignment` (rows in colour), what `--report` makes
(`run_reports`). Records are written by `native/bindings/record_rows.cc`, their alignments as in
`native/formats/alignment_notation.h`.
"""
