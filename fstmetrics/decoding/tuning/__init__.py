"""Weights of a log-linear model, tuned towards a metric [L11 §3].

Read `candidates` first (what is chosen from, and its statistics), then `line_searches`, `error_rate_training` (MERT),
`margin_training` (MIRA), `ranking_training` (PRO); `best_lists` makes lists of lattices for the last two, and
`tuned_weights` has what all return.
"""
