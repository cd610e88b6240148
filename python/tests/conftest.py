"""What several tests use: made-up people, and the real data set Adult where it is at hand."""

from __future__ import annotations

import gzip
import io
import os
import pathlib
import tarfile

import pandas as pd
import pyarrow as pa
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADULT_QUASI = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
]


def data_folder() -> pathlib.Path:
    return pathlib.Path(os.environ.get("SFUMATO_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def adult() -> pd.DataFrame:
    """Adult as ARX has it: 30,162 rows, 9 columns."""
    path = data_folder() / "relational" / "adult_arx.csv.gz"
    if not path.exists():
        pytest.skip(f"skipped: {path.name} isn't at hand (SFUMATO_DATA names its folder)")
    return pd.read_csv(io.StringIO(gzip.decompress(path.read_bytes()).decode()), sep=";")


@pytest.fixture(scope="session")
def adult_hierarchies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The hierarchies of Adult, as ARX keeps them."""
    path = data_folder() / "relational" / "arx_hierarchies.tar.gz"
    if not path.exists():
        pytest.skip(f"skipped: {path.name} isn't at hand (SFUMATO_DATA names its folder)")
    folder = tmp_path_factory.mktemp("hierarchies")
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    found = {}
    for file in folder.rglob("adult_hierarchy_*.csv"):
        found[file.stem.removeprefix("adult_hierarchy_")] = str(file)
    return found


@pytest.fixture
def people() -> pd.DataFrame:
    """120 people, of whom no two are alike in all columns."""
    numbers = range(120)
    return pd.DataFrame(
        {
            "name": [f"person {i}" for i in numbers],
            "age": [20 + i * 7 % 50 for i in numbers],
            "town": [("north", "south", "east")[i % 3] for i in numbers],
            "ill": [("flu", "cough", "hiv", "none")[i % 4] for i in numbers],
        }
    )


def rows_of(frame: object) -> list[tuple[object, ...]]:
    """The rows of whatever exports Arrow, in their order, with texts for all cells."""
    table = pa.table(frame)
    columns = [[None if cell is None else str(cell) for cell in table[name].to_pylist()]
               for name in table.column_names]
    return list(zip(*columns))
