"""The pages about Python say what is true: their examples run."""

from __future__ import annotations

import doctest

import pandas as pd
import pytest

import sfumato as sf

from conftest import ROOT


def test_the_tutorial_runs():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    # A fence ends an example, as an empty line does.
    text = "\n".join("" if line.startswith("```") else line for line in page.splitlines())
    test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", "docs/python.md", 0)
    assert len(test.examples) > 20
    found = doctest.DocTestRunner().run(test)
    assert found.failed == 0


def test_what_stands_for_pycanon(people):
    qi, sa = ["age", "town"], ["ill"]
    df = sf.anonymize(people, quasi=qi, sensitive=sa, identifier="name", k=5, seed=1).data
    sizes = df.groupby(qi).size()
    values = df.groupby(qi)["ill"]
    assert sf.k_anonymity(df, qi) == sizes.min()
    assert sf.l_diversity(df, qi, sa) == values.nunique().min()
    alpha = values.value_counts(normalize=True).max()
    assert sf.alpha_k_anonymity(df, qi, sa) == (pytest.approx(alpha), sizes.min())
    whole = df["ill"].value_counts(normalize=True)
    shares = values.value_counts(normalize=True).unstack(fill_value=0)
    distance = ((shares - whole).abs().sum(axis=1) / 2).max()
    assert sf.t_closeness(df, qi, sa) == pytest.approx(distance)
    assert "k-anonymity" in str(sf.audit(df, qi, sa))


def test_what_stands_for_arx(people, tmp_path):
    file = tmp_path / "town.csv"
    file.write_text("north;up;*\nsouth;down;*\neast;down;*\n")
    release = sf.anonymize(
        people,
        identifier="name",
        quasi=["age", "town"],
        sensitive="ill",
        k=5,
        models=["l-diversity-distinct(l=2, on=ill)"],
        max_suppression=0.02,
        hierarchies={"town": str(file), "age": sf.Hierarchy.interval(10, 3)},
        algorithm="full-domain",
    )
    assert all(one["holds"] for one in release.guarantees)


def test_what_stands_for_anjana():
    ages = [31, 33, 52, 58]
    data = pd.DataFrame({"name": list("abcd"), "age": ages, "pay": [1, 2, 3, 4]})
    tens, all_ages = [f"{age // 10}0s" for age in ages], ["*"] * 4
    release = sf.anonymize(
        data, identifier="name", quasi="age", k=2, max_suppression=0 / 100, keep="pay",
        accept="pay", hierarchies={"age": sf.Hierarchy.levels(zip(ages, tens, all_ages))},
    )
    assert sorted(release.data["age"]) == ["30s", "30s", "50s", "50s"]
