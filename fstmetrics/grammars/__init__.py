"""Rewrite grammars, which widen references with other ways to say the same.

To read first: `model` (what a grammar is), `rule_notation` (its files), `compiled` (its plain rules as the engine wants
them), `widening` (references with other ways beside what was there). `library` finds grammars by name.
"""

from fstmetrics.grammars.model import Example, Grammar, Rule

__all__ = ["Example", "Grammar", "Rule"]
