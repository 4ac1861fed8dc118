"""Where the papers' printed numbers are tested, mark by mark, and which cannot be.

[C08] Chiang, DeNeefe, Chan, Ng: Decomposability of Translation Metrics for Improved Evaluation and Efficient
    Algorithms. EMNLP 2008, pp. 610-619.
[CB06] Callison-Burch, Osborne, Koehn: Re-evaluating the Role of BLEU in Machine Translation Research. EACL 2006,
    pp. 249-256.
[H12] Dreyer, Marcu: HyTER: Meaning-Equivalent Semantics for Translation Evaluation. NAACL-HLT 2012, pp. 162-171.
[L11] Liu, Dahlmeier, Ng: Better Evaluation Metrics Lead to Better Machine Translation. EMNLP 2011, pp. 375-384.
[G14] Graham, Mathur, Baldwin: Randomized Significance Tests in Machine Translation. WMT 2014, pp. 266-274.

Pages are those of the whole paper; tables, figures and sections say where in it.

Data not public, so that no test can have these numbers:
- [C08] tables 3 and 5 (genres), 6-8 (deleted words and sentences), and the systems of §3.1, whose effect is rebuilt;
- [CB06] table 4 (one reference of four is printed), figures 2-4;
- [H12] median numbers of paths and coverage (§2.1, §2.4), figure 3 (no description of its bars was at hand, so
  nothing is drawn like them), the scores behind tables 2 and 3, and the exams of §5;
- [L11] the judgments behind tables 6 and 7: counts are restored from the percentages;
- [G14] the human scores behind tables 1 and 2, and the systems of figures 5 and 6.
"""

from __future__ import annotations

import ast

import pytest
from places import TESTS
from texts_of_papers import REFERENCES, lowered

from fstmetrics.apps.calibration.variants import variants

# What is printed where, and the tests of it.
MARKS = {
    "[C08] §3.1, BLEU's sign test": ["test_significance.test_bleu_s_sign_test_contradicts_itself",
                                                             "test_compare_command.test_the_shipped_example_contradicts_itself"],
    "[C08] §2, BLEU falls though a sentence improves": ["test_text_metrics.test_bleu_falls_though_a_sentence_improves"],
    "[C08] eq. 4, BLEU-SBP": ["test_text_metrics.test_bleu_is_the_definition"],
    "[C08] eqs. 5, 6, automata": ["test_openfst.test_wrr_automaton_is_that_of_the_paper",
                                  "test_openfst.test_grr_automaton_is_that_of_the_paper"],
    "[C08] table 1, means": ["test_agreement.test_means_of_correlations_in_the_table"],
    "Lin and Och 2004, plus one is sacrebleu's add-k": ["test_text_metrics.test_bleu_is_sacrebleu_s"],
    "[CB06] tables 1, 2 and §3.1, 40,320 orders": ["test_variants.test_tables_of_the_paper",
                                                   "test_text_metrics.test_table_1_of_cb06"],
    "[CB06] §3.1, repeats": ["test_variants.test_repeats_are_counted_by_position"],
    "[CB06] §3.2, pieces of other references": ["test_papers.test_pieces_of_other_references"],
    "[CB06] figure 1": ["test_plots.test_numbers_of_orders_of_any_size"],
    "[H12] figure 1": ["test_unions.test_figure_1_of_the_paper",
                       "test_cases.test_every_route_gives_what_the_case_says_or_says_why_it_cannot"],
    "[H12] figure 2": ["test_cases.test_every_route_gives_what_the_case_says_or_says_why_it_cannot"],
    "[H12] table 2, m/h": ["test_agreement.test_quotients_of_machines_and_people",
                           "test_agreement.test_the_quotient_of_likert_scores"],
    "[H12] table 3, protocol": ["test_correlation.test_documents_are_drawn_as_in_the_paper"],
    "[H12] table 5": ["test_proficiency.test_papers_figures"],
    "[L11] §2.3, TESLA-M": ["test_tesla.test_worked_example"],
    "[L11] §4, kappa": ["test_agreement.test_kappa_of_the_judges"],
    "[L11] table 6": ["test_papers.test_percentages_of_800_judgments"],
    "[L11] table 7": ["test_significance.test_table_7_of_l11", "test_significance.test_table_7_s_p_values",
                      "test_agreement.test_sign_tests_of_the_tuned_systems"],
    "[G14] tables 1, 2, exact intervals": ["test_agreement.test_intervals_of_conclusions"],
    "[G14] figures 1-4 on WMT17's systems": ["test_significance.test_p_values_measured_before"],
    "[G14] figures 5-8": ["test_plots.test_null_distributions", "test_plots.test_grids_show_who_beats_whom"],
}  # fmt: skip


@pytest.mark.parametrize("mark", MARKS)
def test_every_mark_has_its_test(mark: str) -> None:
    for name in MARKS[mark]:
        module, _, function = name.partition(".")
        (path,) = TESTS.rglob(f"{module}.py")
        tree = ast.parse(path.read_text())
        assert function in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)], name


def test_pieces_of_other_references() -> None:
    """[CB06 §3.2]: pieces drawn from several references have table 2's matches, though one word fewer."""
    pieces = "was being led to the calm as he was would take carry him seemed quite when taken"
    found = variants(pieces, lowered(REFERENCES))
    assert found.matches == (15, 10, 5, 3)
    assert found.totals == (17, 16, 15, 14)


# [L11 table 6], best of four, ties shared: BLEU, TER, TESLA-M, TESLA-F; French, Spanish, German.
TABLE_6 = ["44.1 41.4 65.8 66.4", "33.8 34.4 49.5 53.8", "49.6 47.8 57.8 55.1"]


def test_percentages_of_800_judgments() -> None:
    """[L11 tables 6, 7]: 200 sentences and four judges, rounded half up, which cannot give every tenth."""
    possible = {f"{(n * 1000 + 400) // 800 / 10:.1f}" for n in range(801)}
    assert len(possible) == 801 < 1001
    for row in TABLE_6:
        assert possible.issuperset(row.split())
    assert {f"{(n * 1000 + 400) // 800 / 10:.1f}" for n in (91, 52)} == {"11.4", "6.5"}  # table 7, French B-T
