"""Scores inside other libraries, a module each: `datasets`, `evaluate`, `lhotse`, `nemo_curator`, `torchmetrics`.

Each imports its library when the module is imported, and says what to install where it is absent. docs/adapters.md.
"""
