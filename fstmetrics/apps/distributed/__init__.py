"""Runs on other engines. `ray` and `spark` score data sets and frames; `ray_engine` and `spark_engine` run commands, by
`batch_work`, which is common to them.

An engine is imported when it is asked for: `pip install 'fstmetrics[ray]'` or `'fstmetrics[spark]'`. docs/scale.md.
"""
