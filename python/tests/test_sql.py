"""Recodings as SQL, run in a database: what DuckDB publishes is what the engine publishes."""

from __future__ import annotations

import duckdb
import pandas as pd
import pytest

import sfumato as sf

from conftest import ADULT_QUASI


def test_duckdb_publishes_what_the_engine_publishes(adult, adult_hierarchies):
    release = sf.anonymize(
        adult,
        quasi=ADULT_QUASI,
        keep="salary-class",
        k=10,
        hierarchies={name: adult_hierarchies[name] for name in ADULT_QUASI},
        algorithm="datafly",
        max_suppression="5%",
        seed=1,
    )
    sql = release.recoding.to_sql("adult", "duckdb")
    columns = list(adult.columns)
    found = duckdb.sql(sql.rstrip().removesuffix(";")).df()[columns]
    expected = release.data[columns]
    in_order = lambda frame: sorted(map(tuple, frame.astype(str).to_numpy()))  # noqa: E731
    assert in_order(found) == in_order(expected)


def nasty_recoding() -> tuple[pd.DataFrame, sf.Recoding]:
    people = pd.DataFrame(
        {
            "it's \"a`b": ["o'clock", "o'clock", 'say "hi"', 'say "hi"', "back\\slash", "back\\slash"],
            "age": [31, 33, 35, 52, 55, 58],
        }
    )
    release = sf.anonymize(
        people,
        quasi=list(people.columns),
        k=2,
        hierarchies={"it's \"a`b": "order(groups=[3])", "age": "interval(width=20)"},
        algorithm="datafly",
    )
    return people, release.recoding


@pytest.mark.parametrize("dialect", ["ansi", "duckdb", "postgresql", "spark", "bigquery"])
def test_every_dialect_quotes_names_and_values(dialect):
    _, recoding = nasty_recoding()
    sql = recoding.to_sql('lake."my people"', dialect)
    quoted = {"spark": "`lake`.`my people`", "bigquery": "`lake`.`my people`"}
    assert quoted.get(dialect, '"lake"."my people"') in sql
    assert sql.startswith("-- Keep this statement private")


def test_nasty_names_run_in_duckdb():
    people, recoding = nasty_recoding()
    duckdb.register("my people", people)
    sql = recoding.to_sql('"my people"', "duckdb").rstrip().removesuffix(";")
    assert len(duckdb.sql(sql).df()) == 6
    # What is no number is published as *, and doesn't stop the statement.
    strange = people.astype({"age": str})
    strange.loc[0, "age"] = "thirty"
    duckdb.register("strange", strange)
    duckdb.sql(recoding.to_sql("strange", "duckdb").rstrip().removesuffix(";"))


def test_regions_are_no_columns_and_dialects_are_named():
    people = pd.DataFrame({"age": range(40), "pay": [i * 7 % 40 for i in range(40)]})
    local = sf.anonymize(people, quasi=["age", "pay"], k=5, algorithm="mondrian")
    with pytest.raises(sf.UnsupportedError, match="can't be written as SQL"):
        local.recoding.to_sql()
    _, recoding = nasty_recoding()
    with pytest.raises(sf.ParametersError, match="there is no dialect"):
        recoding.to_sql("people", "access")
