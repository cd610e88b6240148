"""The transformer: fitted, applied, verified; in a pipeline and cloned."""

from __future__ import annotations

import pandas as pd
import pytest

sklearn = pytest.importorskip("sklearn", reason="skipped: scikit-learn isn't installed")

from sklearn.base import clone  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

import sfumato as sf  # noqa: E402
from sfumato.sklearn import Anonymizer  # noqa: E402


def made_up(n: int = 200) -> tuple[pd.DataFrame, list[str]]:
    ages = [20 + i * 7 % 60 for i in range(n)]
    frame = pd.DataFrame({"age": ages, "town": [("north", "south")[i % 2] for i in range(n)]})
    return frame, ["old" if age >= 50 else "young" for age in ages]


def anonymizer() -> Anonymizer:
    hierarchies = {"age": "interval(width=10, levels=3)"}
    return Anonymizer(quasi=["age", "town"], k=5, hierarchies=hierarchies, seed=1)


def test_rows_stay_in_their_order_and_promises_hold():
    frame, _ = made_up()
    fitted = anonymizer().fit(frame)
    published = fitted.transform(frame)
    assert sf.k_anonymity(published, ["age", "town"]) >= 5
    for before, after in zip(frame["age"], published["age"]):
        low, high = map(int, after.strip("[]").split(".."))
        assert low <= before <= high
    assert list(fitted.get_feature_names_out()) == ["age", "town"]


def test_new_rows_that_would_break_the_promise_are_refused():
    frame, _ = made_up()
    fitted = anonymizer().fit(frame)
    with pytest.raises(sf.InfeasibleError):
        fitted.transform(frame.iloc[:3])


def test_it_is_a_step_of_a_pipeline():
    frame, labels = made_up()
    learner = make_pipeline(
        anonymizer(), OneHotEncoder(handle_unknown="ignore"), DecisionTreeClassifier(random_state=1)
    )
    assert learner.fit(frame, labels).score(frame, labels) > 0.95
    assert clone(anonymizer()).get_params()["k"] == 5


def test_it_must_be_fitted():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        anonymizer().transform(made_up()[0])
