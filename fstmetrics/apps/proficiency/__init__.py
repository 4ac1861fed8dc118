"""Judging human translators by their distance from reference networks [H12 §5].

`passage_features` finds which n-grams of a translation occur in a network and makes the table of numbers, `exams`
generates examinations, `classifier` learns levels from the table. Only `classifier` needs scikit-learn.
"""
