"""Runs on other engines. `ray` and `spark` score data sets and frames; `ray_engine` and `spark_engine` run commands. To
add an engine: a module like these, and in pyproject.toml an entry point in the group `fstmetrics.engines` and an extra
with its packages, which `support/installation` describes (`EXTRAS`); its name on help pages is in `on` of
`scoring/request`.

An engine is imported when it is asked for: `pip install 'fstmetrics[ray]'` or `'fstmetrics[spark]'`. docs/scale.md.
"""
