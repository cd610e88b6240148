"""Releases: records that were published and checked."""

from __future__ import annotations

import html
import json
import os
from typing import Any

from . import _frames, _sfumato
from .errors import SfumatoError, parameters

#: How many rows a notebook shows.
_SHOWN = 5


class Recoding:
    """How records were published, to publish new ones in the same way with :func:`sfumato.apply`.

    Keep it private: its bounds and labels are real values of the data.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recoding:
        """Read a recoding that was saved here or by the command line."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file that only you can read."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(self._text)

    def to_json(self) -> str:
        """The recoding as it lies in a file."""
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """The recoding as a dictionary."""
        return json.loads(self._text)

    def to_sql(self, table: str = "data", dialect: str = "ansi") -> str:
        """One SQL statement that recodes a table, where each column is recoded by itself.

        The dialects are ansi, duckdb, postgresql, spark and bigquery.
        """
        return _sfumato.recoding_to_sql(self._text, table, dialect)

    def __repr__(self) -> str:
        told = self.to_dict()
        columns = ", ".join(column["name"] for column in told.get("columns", []))
        return f"<Recoding of {columns} by {told.get('shape', 'boxes')}; keep it private>"


class Release:
    """Records that were published and checked, with what can be said of them.

    ``data`` has the records as the kind of frame that went in, in random order; ``report`` is the private
    report as a dictionary, for the steward's eyes only; ``public_report`` is what may be handed out.
    """

    def __init__(self, native: Any, kind: str, recoding: Recoding | None, why_not: str) -> None:
        self._native = native
        self._kind = kind
        self._recoding = recoding
        self._why_not = why_not
        self._data: Any = None
        self._report: dict[str, Any] | None = None

    @property
    def data(self) -> Any:
        """The records, as the kind of frame that went in; a path gives a table of pyarrow."""
        if self._data is None:
            self._data = _frames.shown_as(self._native, self._kind)
        return self._data

    def to(self, frame: str) -> Any:
        """The records as a frame of pandas, polars, pyarrow, duckdb, or as bare arrow."""
        return _frames.shown_as(self._native, _frames.as_kind(frame))

    def to_pandas(self) -> Any:
        """The records as a frame of pandas."""
        return self.to("pandas")

    def to_polars(self) -> Any:
        """The records as a frame of polars."""
        return self.to("polars")

    def to_arrow(self) -> Any:
        """The records as a table of pyarrow."""
        return self.to("pyarrow")

    @property
    def report(self) -> dict[str, Any]:
        """The private report, as the command line writes it with --json."""
        if self._report is None:
            self._report = json.loads(self._native.report_json())
        return self._report

    @property
    def public_report(self) -> dict[str, Any]:
        """What may be handed out with the release."""
        return json.loads(self._native.public_json())

    @property
    def manifest(self) -> dict[str, Any]:
        """What the release says of itself; may be handed out with it."""
        return json.loads(self._native.manifest_json())

    @property
    def guarantees(self) -> list[dict[str, Any]]:
        """What was required and what is achieved."""
        return self.report["guarantees"]

    @property
    def warnings(self) -> list[str]:
        """What you should know before handing the release out."""
        return self.report.get("warnings", [])

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._native.columns()

    @property
    def recoding(self) -> Recoding:
        """How the records were published, for :func:`sfumato.apply`. Keep it private."""
        if self._recoding is None:
            raise parameters(f"the recoding wasn't kept: {self._why_not}", "say recoding=True")
        return self._recoding

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        report: str | os.PathLike[str] | None = None,
        public_report: str | os.PathLike[str] | None = None,
        force: bool = False,
    ) -> None:
        """Write the release to a file, as CSV, Parquet, Arrow or JSON lines by its name.

        The file is read back and compared with the release before it gets its name, and its
        manifest lies beside it. Reports are ``.html`` or ``.json``; the private one is readable by you
        alone. A file that is there already is kept unless `force` is said.
        """
        for place in (path, report, public_report):
            if place is not None and not force and os.path.exists(place):
                raise parameters(f"{os.fspath(place)} is there already", "say force=True")
        pages = []
        if report is not None:
            pages.append((report, self._page(report, "report"), 0o600))
        if public_report is not None:
            pages.append((public_report, self._page(public_report, "public"), 0o644))
        self._native.save(path)
        for place, text, mode in pages:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with os.fdopen(os.open(place, flags, mode), "w", encoding="utf-8") as file:
                file.write(text)

    def _page(self, path: str | os.PathLike[str], which: str) -> str:
        ending = os.fspath(path).rpartition(".")[2].lower()
        if ending not in ("html", "json"):
            raise parameters(f"a report is .html or .json, not '{os.fspath(path)}'")
        return getattr(self._native, f"{which}_{ending}")()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self._native.__arrow_c_schema__()

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        held = ", ".join(_guarantee(one) for one in self.guarantees)
        return f"<Release of {len(self):,} records, {len(self.columns)} columns: {held or 'no promise'}>"

    def _repr_html_(self) -> str:
        report = self.report
        rows = "".join(
            f"<tr><td>{html.escape(one['model'])}</td><td>{html.escape(str(one.get('required', '')))}</td>"
            f"<td>{html.escape(str(one.get('achieved', '')))}</td>"
            f"<td>{'holds' if one['holds'] else 'fails'}</td></tr>"
            for one in self.guarantees
        )
        losses = ", ".join(
            f"{html.escape(name)} {value:.4g}"
            for name, value in report.get("metrics", {}).items()
            if isinstance(value, (int, float))
        )
        suppressed = report.get("suppressed", {}).get("records", 0)
        said = [f"{len(self):,} records, {suppressed:,} suppressed, by {_algorithm(report)}", losses]
        said += [html.escape(warning) for warning in self.warnings]
        lines = "".join(f"<div>{line}</div>" for line in said if line)
        return (
            "<div><b>Release</b>, verified<table><tr><th>model</th><th>required</th><th>achieved</th>"
            f"<th></th></tr>{rows}</table>{lines}{self._head()}</div>"
        )

    def _head(self) -> str:
        """The first rows; they are published, so everybody may see them."""
        try:
            import pyarrow
        except ImportError:
            return ""
        try:
            head = pyarrow.table(self._native).slice(0, _SHOWN)
        except SfumatoError:
            return ""
        names = "".join(f"<th>{html.escape(name)}</th>" for name in head.column_names)
        cells = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row.values()) + "</tr>"
            for row in head.to_pylist()
        )
        return f"<table><tr>{names}</tr>{cells}</table>"


def _algorithm(report: dict[str, Any]) -> str:
    algorithm = report.get("algorithm", "")
    name = algorithm.get("name", "") if isinstance(algorithm, dict) else str(algorithm)
    return html.escape(name)


def _guarantee(one: dict[str, Any]) -> str:
    achieved = one.get("achieved")
    return f"{one['model']} {one.get('measure', '')}={achieved}"
