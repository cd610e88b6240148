"""Folders of a release, wherever Spark writes: by Hadoop's file systems, or as files of this machine."""

from __future__ import annotations

import os
import shutil
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

from .errors import parameters


class Files:
    """Renames, removes and writes what Spark's data frames can't."""

    @classmethod
    def of(cls, spark: Any) -> Files:
        """Those of a session. Over Spark Connect only files that this machine sees as well."""
        try:
            return _Hadoop(spark._jvm, spark._jsc.hadoopConfiguration())
        except Exception:  # Spark Connect has no way to the driver's JVM, and says so in its own class.
            return _Local()

    def exists(self, path: str) -> bool:
        raise NotImplementedError

    def rename(self, path: str, to: str) -> None:
        raise NotImplementedError

    def delete(self, path: str) -> None:
        raise NotImplementedError

    def write_text(self, path: str, text: str) -> None:
        raise NotImplementedError

    def read_text(self, path: str) -> str:
        raise NotImplementedError


class _Hadoop(Files):
    def __init__(self, jvm: Any, configuration: Any) -> None:
        self._jvm, self._configuration = jvm, configuration

    def _of(self, path: str) -> tuple[Any, Any]:
        place = self._jvm.org.apache.hadoop.fs.Path(path)
        return place.getFileSystem(self._configuration), place

    def exists(self, path: str) -> bool:
        system, place = self._of(path)
        return bool(system.exists(place))

    def rename(self, path: str, to: str) -> None:
        system, place = self._of(path)
        if not system.rename(place, self._of(to)[1]):
            raise OSError(f"{path} can't be renamed to {to}")

    def delete(self, path: str) -> None:
        system, place = self._of(path)
        system.delete(place, True)

    def write_text(self, path: str, text: str) -> None:
        system, place = self._of(path)
        stream = system.create(place, True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

    def read_text(self, path: str) -> str:
        system, place = self._of(path)
        stream = system.open(place)
        try:
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream)).decode()
        finally:
            stream.close()


class _Local(Files):
    def _of(self, path: str) -> str:
        found = urlparse(path)
        if found.scheme not in ("", "file"):
            raise parameters(
                f"over Spark Connect {path} can't be committed from here",
                "name a folder that this machine and the workers share",
            )
        return url2pathname(found.path)

    def exists(self, path: str) -> bool:
        return os.path.exists(self._of(path))

    def rename(self, path: str, to: str) -> None:
        os.rename(self._of(path), self._of(to))

    def delete(self, path: str) -> None:
        shutil.rmtree(self._of(path), ignore_errors=True)

    def write_text(self, path: str, text: str) -> None:
        with open(self._of(path), "w", encoding="utf-8") as file:
            file.write(text)

    def read_text(self, path: str) -> str:
        with open(self._of(path), encoding="utf-8") as file:
            return file.read()
