"""The keywords that say a job, for type checkers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

Names = str | Iterable[str]


class JobKeywords(TypedDict, total=False):
    """What :class:`sfumato.Job` takes beside quasi, sensitive, k, models and hierarchies."""

    identifier: Names | None
    subject: Names | None
    target: Names | None
    keep: Names | None
    drop: Names | None
    guard: Names | None
    others: str | None
    types: Mapping[str, str] | None
    weights: Mapping[str, float] | None
    missing: Mapping[str, str] | None
    accept: Names | None
    max_suppression: str | float | int | None
    tasks: Names | None
    algorithm: str | None
    metric: str | None
    memory: str | None
    threads: int | None
    time_limit: str | None
    seed: int | None
    baskets: str | None
    sensitive_items: Names | None
    options: Mapping[str, Any] | None
