"""Jobs: what the data is, what must hold, how to get there."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from . import _sfumato
from .errors import parameters
from .hierarchy import Hierarchy

Names = str | Iterable[str] | None


def names_of(given: Names) -> list[str]:
    """One name, or several."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else [str(name) for name in given]


class Job:
    """What to do: what columns are, which models must hold, which algorithm runs.

    A job is the same as a release.toml, which the command line runs. Nothing is checked before it
    runs: then everything is, and what doesn't belong is refused by name.

    >>> import sfumato as sf
    >>> job = sf.Job(quasi=["age", "zip"], sensitive="ill", k=10, hierarchies={"zip": "mask"})
    >>> print(job.to_toml())
    [columns]
    age = { role = "quasi" }
    zip = { role = "quasi", hierarchy = "mask" }
    ill = { role = "sensitive" }
    <BLANKLINE>
    [privacy]
    models = ["k-anonymity(k=10)"]
    <BLANKLINE>

    Keywords
    --------
    quasi, sensitive, identifier, subject, target, keep, drop, guard
        Names of columns by their role. Every column has one, or the run stops and says which has
        none. `quasi` may be known to an attacker and is generalized; `sensitive` is what an
        attacker wants to learn; `identifier` names a person and is dropped; `subject` says which
        rows belong to one person, and is dropped.
    others
        The role of all columns that aren't named.
    k, models
        What must hold: ``k=10`` is short for ``models=["k-anonymity(k=10)"]``.
    hierarchies
        How columns are generalized; see :meth:`Hierarchy.of` for what may stand for one.
    types, weights, missing, accept
        Of columns: the type if it shouldn't be guessed, how much a loss counts, what a missing
        value means (``"value"`` or ``"suppressed"``), and which are published although they give
        a quasi column away.
    max_suppression, tasks, algorithm, metric, memory, threads, time_limit, seed
        As in a release.toml. A seed makes a run repeatable to the byte, and isn't for release.
    baskets, sensitive_items
        For baskets: the layout, such as ``"list(column=items)"``, and the items that an attacker
        wants to learn.
    options
        Any other key, as ``{"section.key": value}``.
    """

    def __init__(
        self,
        *,
        quasi: Names = None,
        sensitive: Names = None,
        identifier: Names = None,
        subject: Names = None,
        target: Names = None,
        keep: Names = None,
        drop: Names = None,
        guard: Names = None,
        others: str | None = None,
        k: int | None = None,
        models: Names = None,
        hierarchies: Mapping[str, Any] | None = None,
        types: Mapping[str, str] | None = None,
        weights: Mapping[str, float] | None = None,
        missing: Mapping[str, str] | None = None,
        accept: Names = None,
        max_suppression: str | float | int | None = None,
        tasks: Names = None,
        algorithm: str | None = None,
        metric: str | None = None,
        memory: str | None = None,
        threads: int | None = None,
        time_limit: str | None = None,
        seed: int | None = None,
        baskets: str | None = None,
        sensitive_items: Names = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._native = _sfumato.Job()
        if baskets is not None:
            self._set("baskets", "layout", baskets)
        if sensitive_items is not None:
            self._set("baskets", "sensitive", names_of(sensitive_items))
        roles = {
            "quasi": quasi,
            "sensitive": sensitive,
            "identifier": identifier,
            "subject": subject,
            "target": target,
            "keep": keep,
            "drop": drop,
            "guard": guard,
        }
        columns = _columns(roles, hierarchies, types, weights, missing, accept)
        for name, told in columns.items():
            self._set("columns", name, told)
        if others is not None:
            self._set("columns", "*", {"role": others})
        wanted = ([f"k-anonymity(k={int(k)})"] if k is not None else []) + names_of(models)
        if wanted:
            self._set("privacy", "models", wanted)
        if max_suppression is not None:
            self._set("privacy", "max_suppression", _limit(max_suppression))
        if tasks is not None:
            self._set("workload", "tasks", names_of(tasks))
        plain = [
            ("recode", "algorithm", algorithm),
            ("recode", "metric", metric),
            ("run", "memory", memory),
            ("run", "threads", threads),
            ("run", "time_limit", time_limit),
            ("run", "seed", seed),
        ]
        for section, key, value in plain:
            if value is not None:
                self._set(section, key, value)
        for name, value in (options or {}).items():
            section, dot, key = name.partition(".")
            if not dot:
                raise parameters(f"'{name}' is no option", "write section.key, such as recode.effort")
            self._set(section, key, value)

    @classmethod
    def from_toml(cls, text: str, base: str | os.PathLike[str] = "") -> Job:
        """The job that the text of a release.toml says; relative paths start from `base`."""
        return cls._of(_sfumato.Job.from_toml(text, base))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Job:
        """The job of a release.toml; relative paths in it start from its folder."""
        return cls._of(_sfumato.Job.from_file(path))

    @classmethod
    def _of(cls, native: Any) -> Job:
        job = cls()
        job._native = native
        return job

    def _set(self, section: str, key: str, value: Any) -> None:
        self._native = self._native.with_key(section, key, value)

    def set(self, section: str, key: str, value: Any) -> Job:
        """The job with one more key of a section; this one stays as it is.

        >>> import sfumato as sf
        >>> sf.Job(quasi="age").set("recode", "effort", "high").sections["recode"]
        {'effort': 'high'}
        """
        return Job._of(self._native.with_key(section, key, value))

    def to_toml(self) -> str:
        """The release.toml that stands for the job."""
        return self._native.to_toml()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the release.toml that stands for the job."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    @property
    def sections(self) -> dict[str, Any]:
        """Everything that the job says, section by section."""
        return tomllib.loads(self.to_toml())

    def columns_of(self, role: str) -> list[str]:
        """The names of the columns of a role."""
        columns = self.sections.get("columns", {})
        return [name for name, told in columns.items() if told.get("role") == role]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Job) and self.to_toml() == other.to_toml()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __repr__(self) -> str:
        return f"Job.from_toml({self.to_toml()!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Job.from_toml, (self.to_toml(),))


def _columns(
    roles: Mapping[str, Names],
    hierarchies: Mapping[str, Any] | None,
    types: Mapping[str, str] | None,
    weights: Mapping[str, float] | None,
    missing: Mapping[str, str] | None,
    accept: Names,
) -> dict[str, dict[str, Any]]:
    columns: dict[str, dict[str, Any]] = {}
    for role, given in roles.items():
        for name in names_of(given):
            if name in columns:
                raise parameters(f"column '{name}' is both {columns[name]['role']} and {role}")
            columns[name] = {"role": role}

    def say(key: str, told: Mapping[str, Any] | None) -> None:
        for name, value in (told or {}).items():
            if name not in columns:
                raise parameters(
                    f"column '{name}' has no role, and {key} says something of it",
                    "name it in quasi, sensitive, keep, ... first",
                )
            columns[name][key] = value

    say("hierarchy", {n: Hierarchy.of(h).to_value() for n, h in (hierarchies or {}).items()})
    say("type", types)
    say("weight", weights)
    say("missing", missing)
    say("accept", {name: True for name in names_of(accept)})
    return columns


def _limit(given: str | float | int) -> str:
    """How many records may be left out: 0.02 is 2 %, 150 are 150 records."""
    if isinstance(given, float) and 0 <= given < 1:
        return f"{given * 100:.10g}%"
    return str(given)


def job_of(job: Any, keywords: dict[str, Any]) -> Job:
    """A job, or what keywords say; both together are refused."""
    said = {name: value for name, value in keywords.items() if value is not None}
    if job is None:
        return Job(**said)
    if isinstance(job, (str, os.PathLike)):
        job = Job.from_file(job)
    if not isinstance(job, Job):
        raise parameters(f"a job is needed, not {type(job).__name__}")
    # What a run may be told beside its job.
    aside = {"seed": ("run", "seed"), "threads": ("run", "threads"), "memory": ("run", "memory")}
    for name in list(said):
        if name in aside:
            job = job.set(*aside[name], said.pop(name))
    if said:
        raise parameters(
            f"the job says it already: {', '.join(said)}",
            "change the job with Job.set(section, key, value)",
        )
    return job
