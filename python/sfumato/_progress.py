"""How far a run is, in a terminal or a notebook."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable
from typing import Any

#: What is told: step, done, total (None where it isn't known), unit (bytes, records, steps).
Listener = Callable[[str, int, int | None, str], Any]

#: Nothing is shown of runs that end sooner, in seconds.
_PATIENCE = 0.5


class _Bar:
    """A line that shows the step, and goes when the run ends."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._is_shown = False

    def __call__(self, step: str, done: int, total: int | None, unit: str) -> None:
        if time.monotonic() - self._begun >= _PATIENCE:
            self._is_shown = True
            self._show(step, done, total, unit)

    def close(self) -> None:
        if self._is_shown:
            self._end()

    def _show(self, step: str, done: int, total: int | None, unit: str) -> None:
        raise NotImplementedError

    def _end(self) -> None:
        raise NotImplementedError


class _Terminal(_Bar):
    def _show(self, step: str, done: int, total: int | None, unit: str) -> None:
        sys.stderr.write(f"\r\x1b[K{_words(step, done, total, unit)}")
        sys.stderr.flush()

    def _end(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class _Notebook(_Bar):
    def __init__(self) -> None:
        super().__init__()
        self._display: Any = None

    def _show(self, step: str, done: int, total: int | None, unit: str) -> None:
        from IPython.display import HTML, display

        bar = "" if total is None else f'<progress value="{min(done, total)}" max="{total}"></progress> '
        shown = HTML(f"{bar}{html.escape(_words(step, done, total, unit))}")
        if self._display is None:
            self._display = display(shown, display_id=True)
        else:
            self._display.update(shown)

    def _end(self) -> None:
        from IPython.display import HTML

        if self._display is not None:
            self._display.update(HTML(""))


def _words(step: str, done: int, total: int | None, unit: str) -> str:
    if not total:
        return f"{step}: {done:,} {unit}" if done else step
    return f"{step}: {min(100, done * 100 // total)} % of {total:,} {unit}"


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = getattr(ipython, "get_ipython", lambda: None)() if ipython else None
    return type(shell).__name__ == "ZMQInteractiveShell"


class watching:
    """Shows progress while the body runs, as `progress` asks.

    None shows it where somebody looks: in a terminal or a notebook. True shows it always, False never,
    and a function is called with step, done, total and unit.
    """

    def __init__(self, progress: bool | Listener | None) -> None:
        self._bar: _Bar | None = None
        if callable(progress):
            self._listener: Listener | None = progress
            return
        if progress is None:
            progress = _in_notebook() or sys.stderr.isatty()
        if progress:
            self._bar = _Notebook() if _in_notebook() else _Terminal()
        self._listener = self._bar

    def __enter__(self) -> Listener | None:
        return self._listener

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
