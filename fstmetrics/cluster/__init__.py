"""Runs on other engines: `ray` and `spark`, a module each, and what is common to them, `batch_work`.

An engine is imported when it is asked for: `pip install 'fstmetrics[ray]'` or `'fstmetrics[spark]'`. docs/scale.md.
"""
