"""Whatever a frame is made by, the release is the same, and of the same kind."""

from __future__ import annotations

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf

from conftest import ADULT_QUASI, rows_of


def test_adult_from_every_kind_of_frame(adult, adult_hierarchies, tmp_path):
    job = sf.Job(
        quasi=ADULT_QUASI,
        sensitive="salary-class",
        k=10,
        hierarchies={name: adult_hierarchies[name] for name in ADULT_QUASI},
        algorithm="mondrian",
        seed=1,
    )
    csv = tmp_path / "adult.csv"
    adult.to_csv(csv, index=False)
    polars = pl.from_pandas(adult)
    relation = duckdb.sql("SELECT * FROM adult")
    frames = {
        pd.DataFrame: adult,
        pl.DataFrame: polars,
        pa.Table: pa.Table.from_pandas(adult, preserve_index=False),
        duckdb.DuckDBPyRelation: relation,
    }
    releases = {kind: sf.anonymize(frame, job) for kind, frame in frames.items()}
    first = rows_of(releases[pd.DataFrame])
    assert len(first) == 30_162
    for kind, release in releases.items():
        assert isinstance(release.data, kind), kind
        assert rows_of(release) == first, kind
        assert all(one["holds"] for one in release.report["guarantees"])
        assert release.report["classes"]["min"] >= 10
    # A lazy frame, a reader that can be read once, and a file are the same data.
    assert rows_of(sf.anonymize(polars.lazy(), job)) == first
    reader = frames[pa.Table].to_reader(max_chunksize=1000)
    assert rows_of(sf.anonymize(reader, job)) == first
    assert rows_of(sf.anonymize(csv, job)) == first
    # What was published can be audited in every kind of frame.
    for release in releases.values():
        found = sf.audit(release.data, ADULT_QUASI, "salary-class")
        assert found.k == releases[pd.DataFrame].report["classes"]["min"]


def test_nothing_is_copied_on_the_way_in(people):
    table = pa.Table.from_pandas(people.drop(columns="name"), preserve_index=False)
    table = pa.concat_tables([table] * 2000)
    before = pa.total_allocated_bytes()
    sf.audit(table, ["age", "town"], "ill")
    # pyarrow would have allocated any copy that it hands over.
    assert pa.total_allocated_bytes() - before < table.nbytes / 10


def test_types_that_pass_through_stay(people):
    table = pa.Table.from_pandas(people.drop(columns="name"), preserve_index=False)
    table = table.append_column("when", pa.array([None] + [0] * 119, pa.timestamp("ms")))
    table = table.append_column("cost", pa.array([i % 5 / 2 for i in range(120)], pa.float64()))
    release = sf.anonymize(
        table, quasi=["age", "town"], sensitive=["ill"], keep=["when", "cost"], k=5, seed=1
    )
    schema = release.data.schema
    assert schema.field("when").type == pa.timestamp("ms")
    assert schema.field("cost").type == pa.float64()
    assert release.data["when"].null_count == 1
    assert sorted(release.data["cost"].to_pylist()) == sorted(table["cost"].to_pylist())


def test_categories_and_missing_values(people):
    people["town"] = people["town"].astype("category")
    people.loc[::10, "age"] = None
    release = sf.anonymize(people, quasi=["age", "town"], keep="ill", drop="name", k=5, seed=1)
    assert len(release) == 120
    assert sf.k_anonymity(release.data, ["age", "town"]) >= 5


def test_the_index_of_pandas_is_no_column(people):
    indexed = people.set_index("name")
    release = sf.anonymize(indexed, quasi=["age", "town"], sensitive="ill", k=5)
    assert list(release.data.columns) == ["age", "town", "ill"]


def test_a_single_batch_and_a_foreign_exporter(people):
    batch = pa.RecordBatch.from_pandas(people[["age"]], preserve_index=False)

    class Foreign:
        def __arrow_c_array__(self, requested_schema=None):
            return batch.__arrow_c_array__(requested_schema)

    first = sf.anonymize(batch, quasi="age", k=5, seed=1)
    second = sf.anonymize(Foreign(), sf.Job(quasi="age", k=5, seed=1))
    assert rows_of(first) == rows_of(second)
    assert hasattr(second.data, "__arrow_c_stream__")


@pytest.mark.parametrize("wrong", [3, ["a text", "another"], object()])
def test_what_is_no_data_is_refused(wrong):
    with pytest.raises(TypeError, match="neither a path"):
        sf.anonymize(wrong, sf.Job(quasi="age", k=2))


def test_a_frame_without_rows_is_refused():
    with pytest.raises(sf.InputError):
        sf.anonymize(pd.DataFrame({"age": pd.Series([], dtype="int64")}), quasi="age", k=2)


def test_baskets_from_lists_and_from_arrow():
    baskets = [{"bread", "milk", ("tea", "beer")[i % 2], ("jam", "eggs", "rice")[i % 3]} for i in range(60)]
    release = sf.anonymize(baskets, k=3, seed=1)
    assert release.manifest["kind"] == "sets"
    table = pa.table({"items": [sorted(basket) for basket in baskets]})
    same = sf.anonymize(table, baskets="list(column=items)", k=3, seed=1)
    assert rows_of(same) == rows_of(release)
    assert sf.audit(same.data, baskets="list(column=items)", k=3).holds
