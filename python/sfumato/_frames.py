"""Frames on their way in and out: what goes in as pandas comes out as pandas.

Data goes in by the Arrow PyCapsule interface, which pandas, polars, pyarrow and duckdb have, so no
library is imported that the caller doesn't use.
"""

from __future__ import annotations

import os
from typing import Any

from .errors import parameters


def kind_of(data: Any) -> str:
    """The library that made a frame: pandas, polars, pyarrow, duckdb; or path, arrow, other."""
    if isinstance(data, (str, os.PathLike)):
        return "path"
    library = type(data).__module__.partition(".")[0].lstrip("_")
    if library in ("pandas", "polars", "pyarrow", "duckdb"):
        return library
    return "arrow" if hasattr(data, "__arrow_c_stream__") else "other"


def prepared(data: Any) -> Any:
    """What the engine is handed for a frame."""
    kind = kind_of(data)
    if kind == "pandas":
        return _of_pandas(data)
    if kind == "polars" and type(data).__name__ == "LazyFrame":
        return data.collect()
    if kind == "duckdb" and not hasattr(data, "__arrow_c_stream__"):
        return data.arrow()
    release = getattr(data, "_native", None)  # A release of ours.
    return data if release is None else release


def _of_pandas(frame: Any) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("frames of pandas are read through pyarrow: pip install pyarrow") from error
    if type(frame).__name__ == "Series":
        frame = frame.to_frame()
    # The index is no column: it mostly numbers the rows, and would single out each of them.
    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def columns_of(data: Any) -> list[str] | None:
    """The names of the columns of a frame; None for a path."""
    from . import _sfumato

    kind = kind_of(data)
    if kind in ("pandas", "polars", "duckdb") and type(data).__name__ != "LazyFrame":
        return [str(name) for name in data.columns]
    if kind == "pyarrow" and hasattr(data, "schema"):
        return list(data.schema.names)
    if kind == "path":
        return None
    return _sfumato.columns_of(prepared(data))


def shown_as(native: Any, kind: str) -> Any:
    """A release as a frame of a library."""
    if kind == "polars":
        import polars

        return polars.DataFrame(native)
    if kind == "arrow" or kind == "other":
        return native
    try:
        import pyarrow
    except ImportError:
        if kind == "path":
            return native
        raise
    table = pyarrow.table(native)
    if kind == "pandas":
        return table.to_pandas()
    if kind == "duckdb":
        import duckdb

        return duckdb.from_arrow(table)
    return table


def as_kind(name: str) -> str:
    """A kind of frame by its name."""
    if name not in ("pandas", "polars", "pyarrow", "duckdb", "arrow"):
        raise parameters(
            f"there is no frame '{name}'", "frames are pandas, polars, pyarrow, duckdb and arrow"
        )
    return name
