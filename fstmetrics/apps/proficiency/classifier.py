"""Learning levels from features: `cross_validated`, and the figures of [H12 table 5]. Needs scikit-learn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fstmetrics import FstmetricsError
from fstmetrics.support.errors import need

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# The scale of the Interagency Language Roundtable, and its levels of "2 or better" [H12 table 5].
SCALE = ("0", "0+", "1", "1+", "2", "2+", "3", "3+", "4", "4+", "5")
GOOD_ENOUGH = frozenset(SCALE[SCALE.index("2") :])
# C of the support vector machine, scikit-learn's own default; [H12] does not give it.
REGULARISATION = 1.0
# When the fit may stop. Levels that cannot be told apart take hours at scikit-learn's default, and predict no better.
TOLERANCE = 0.1
# After so many passes liblinear gives up; scikit-learn does not tell it to stop before, but warns if told of fewer.
PASSES = 100_000

Gold = frozenset[str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well predicted levels agree with those that graders accept.

    Attributes:
        accuracy: share of exams whose prediction is one of the accepted levels.
        precision: of the exams predicted "2 or better", the share with some accepted level of 2 or better.
        recall: of the exams whose accepted levels are all 2 or better, the share predicted so.

    Sure and possible sets as in word alignment; [H12 §5] gives no formula. Precision and recall are None where they are
    shares of nothing, and where levels are of another scale than `SCALE`, which has no such level 2.
    """

    accuracy: float
    precision: float | None
    recall: float | None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; of 0 and none it is 0."""
        if self.precision is None or self.recall is None:
            return 0.0 if 0.0 in (self.precision, self.recall) else None
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def agreement(predicted: Sequence[str], gold: Sequence[Gold]) -> Agreement:
    """Compare predictions with accepted levels.

    >>> agreement(["2", "1", "2+"], [frozenset({"2"}), frozenset({"1+"}), frozenset({"1", "2"})])
    Agreement(accuracy=0.3333333333333333, precision=1.0, recall=1.0)
    """
    pairs = list(zip(predicted, gold, strict=True))
    accuracy = sum(level in levels for level, levels in pairs) / len(pairs)
    if other_levels(gold):
        return Agreement(accuracy, None, None)
    positive = [levels for level, levels in pairs if level in GOOD_ENOUGH]
    sure = [level for level, levels in pairs if levels <= GOOD_ENOUGH]
    return Agreement(
        accuracy,
        _share(sum(bool(levels & GOOD_ENOUGH) for levels in positive), len(positive)),
        _share(sum(level in GOOD_ENOUGH for level in sure), len(sure)),
    )


def other_levels(gold: Iterable[Gold]) -> list[str]:
    """Levels that are none of `SCALE`.

    >>> other_levels([frozenset({"2", "3+"}), frozenset({"B1"})])
    ['B1']
    """
    return sorted(frozenset().union(*gold).difference(SCALE))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def cross_validated(
    features: npt.NDArray[np.float64], gold: Sequence[Gold], *, folds: int = 10, seed: int = 1
) -> list[str]:
    """Predicted levels, each by a classifier that has not seen the exam.

    A pipeline: standardised features and the multi-class support vector machine of Crammer and Singer, scikit-learn's
    `LinearSVC(multi_class="crammer_singer")`. Of several accepted levels the lowest is what is learnt.

    Args:
        features: shape [exams, features].
        gold: the accepted levels of each exam.
        folds: how many parts the exams are cut into; each is predicted from the others.
        seed: of the cutting.

    Raises:
        FstmetricsError: scikit-learn is not installed, or there are fewer exams than folds.
    """
    pipeline = need("sklearn.pipeline", "learning levels", "proficiency", "scikit-learn")
    preprocessing = need("sklearn.preprocessing", "learning levels", "proficiency", "scikit-learn")
    svm = need("sklearn.svm", "learning levels", "proficiency", "scikit-learn")
    selection = need("sklearn.model_selection", "learning levels", "proficiency", "scikit-learn")
    if len(gold) < folds:
        raise FstmetricsError(f"{len(gold)} exams are too few for {folds} folds")
    targets = [min(levels) for levels in gold]
    if len(set(targets)) == 1:
        return targets
    model = pipeline.make_pipeline(
        preprocessing.StandardScaler(),
        svm.LinearSVC(
            multi_class="crammer_singer", C=REGULARISATION, random_state=seed, tol=TOLERANCE, max_iter=PASSES
        ),
    )
    parts = selection.KFold(folds, shuffle=True, random_state=seed)
    predicted = selection.cross_val_predict(model, features, targets, cv=parts)
    return list(map(str, predicted))


def most_frequent(gold: Sequence[Gold]) -> list[str]:
    """The baseline of [H12 §5]: the level that most exams accept, for every exam."""
    counts = Counter(level for levels in gold for level in sorted(levels))
    return [min(counts, key=lambda level: (-counts[level], level))] * len(gold)


def shuffled(gold: Sequence[Gold], seed: int = 1) -> list[Gold]:
    """The same accepted levels, given to other exams: what is learnt from them is chance."""
    mixed = list(gold)
    random.Random(seed).shuffle(mixed)
    return mixed
