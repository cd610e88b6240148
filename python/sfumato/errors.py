"""What goes wrong, as exceptions. The texts are those of the command line, and so are the codes.

Every exception has ``code`` (the exit code of the command line), ``message`` (what went wrong, without
its place), ``hint`` (what to do next, or None), and ``file``, ``line`` and ``column`` (where, or None).
"""

from __future__ import annotations


class SfumatoError(Exception):
    """The base of all exceptions of this package."""

    code: int = 70
    message: str = ""
    hint: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text}\nhint: {self.hint}" if self.hint else text


class InputError(SfumatoError, ValueError):
    """The data or a file that describes it is wrong (code 2)."""


class ParametersError(SfumatoError, ValueError):
    """A parameter is missing, unknown or out of range (code 2)."""


class UnsupportedError(SfumatoError, ValueError):
    """The parts asked for don't go together: a model, an algorithm, a kind of data (code 2)."""


class InfeasibleError(SfumatoError):
    """The requirement can't be met; nothing is weakened silently (code 3)."""


class ResourcesError(SfumatoError, MemoryError):
    """Out of memory, disk or time (code 4)."""


class FileError(SfumatoError, OSError):
    """The operating system refused to read or write (code 5)."""


class CancelledError(SfumatoError):
    """Somebody stopped the run (code 130)."""


class InternalError(SfumatoError):
    """A bug of this package; nothing was published (code 70)."""


_CLASSES: dict[str, type[SfumatoError]] = {
    "input": InputError,
    "parameters": ParametersError,
    "unsupported": UnsupportedError,
    "infeasible": InfeasibleError,
    "resources": ResourcesError,
    "io": FileError,
    "cancelled": CancelledError,
    "internal": InternalError,
}


def of_engine(
    kind: str,
    text: str,
    message: str,
    hint: str | None,
    place: tuple[str | None, int | None, int | None],
    code: int,
) -> SfumatoError:
    """The exception of an error of the engine. The extension module calls it."""
    error = _CLASSES.get(kind, InternalError)(text)
    error.message, error.hint, error.code = message, hint, code
    error.file, error.line, error.column = place
    return error


def parameters(message: str, hint: str | None = None) -> ParametersError:
    """An exception for parameters that never reach the engine."""
    error = ParametersError(message)
    error.message, error.hint, error.code = message, hint, 2
    return error
