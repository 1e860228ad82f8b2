"""The file of runs, which several processes, also of other machines, may share.

A row is appended under a lock. Who begins a job locks a byte far behind the end of the file, whose place the job's keys
tell; the system gives it back when the process ends, however it ends. There are no other files, and no claim is left
behind by a machine that was switched off.
"""
from __future__ import annotations

import csv
import fcntl
import hashlib
import io
import os
from collections.abc import Sequence
from pathlib import Path

from experiments.study import Key, StudyError
from experiments.tables import Row, csv_line

_APPENDING = 1 << 60  # the byte that is locked while a row is appended
_FIRST_CLAIM = 1 << 61


def _place_of(key: Key) -> int:
    digest = hashlib.blake2b("\0".join(key).encode(), digest_size=7).digest()
    return _FIRST_CLAIM + int.from_bytes(digest, "big")


class RunsFile:
    """runs.csv of a folder. Nothing else in the process may open the file: that would lose its locks."""

    def __init__(self, folder: Path, keys: Sequence[str], values: Sequence[str]) -> None:
        self.columns = (*keys, *values)
        self.rows: list[Row] = []
        self._key_count = len(keys)
        self._done: set[Key] = set()
        self._end = 0  # bytes that were read
        self._path = folder / "runs.csv"
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise StudyError(f"cannot make {folder}: {error.strerror}") from None
        try:
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise StudyError(f"cannot open {self._path}: {error.strerror}") from None
        self._lock_for_appending()
        try:
            self._take_over()
        except BaseException:
            os.close(self._fd)
            raise
        self._unlock(_APPENDING)

    def close(self) -> None:
        """Gives back everything that was claimed."""
        os.close(self._fd)

    def is_done(self, key: Key) -> bool:
        """True if there is a row for the job, as far as the file was read."""
        return key in self._done

    def claim(self, key: Key) -> bool:
        """Reserves a job for this process. False if it is done, or another process is at it."""
        try:
            fcntl.lockf(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place_of(key))
        except OSError:
            return False
        self.refresh()
        if self.is_done(key):
            self.release(key)
        return not self.is_done(key)

    def release(self, key: Key) -> None:
        """Ends a claim."""
        self._unlock(_place_of(key))

    def append(self, key: Key, values: Sequence[object]) -> None:
        """Writes the row of a job."""
        cells = [*key, *map(str, values)]
        if len(cells) > len(self.columns):
            raise ValueError(f"{len(cells)} cells for {len(self.columns)} columns")
        cells += [""] * (len(self.columns) - len(cells))
        self._lock_for_appending()
        try:
            self._cut_incomplete_line()
            self._write(csv_line(cells))
        finally:
            self._unlock(_APPENDING)
        self.refresh()

    def refresh(self) -> None:
        """Reads rows that were appended since."""
        data = os.pread(self._fd, os.fstat(self._fd).st_size - self._end, self._end)
        self._read(data[:data.rfind(b"\n") + 1])

    def _take_over(self) -> None:
        """Reads the rows of an existing file; a new one gets its heading."""
        heading = csv_line(self.columns)
        self._cut_incomplete_line()
        if os.fstat(self._fd).st_size == 0:
            self._write(heading)
        elif os.pread(self._fd, len(heading.encode()), 0) != heading.encode():
            raise StudyError(f"{self._path} has other columns: it belongs to another study or version")
        self._end = len(heading.encode())
        self.refresh()

    def _cut_incomplete_line(self) -> None:
        """Cuts the file after its last line end: what follows was written by a process that was killed."""
        size = os.fstat(self._fd).st_size
        data = os.pread(self._fd, size - self._end, self._end)
        if data and not data.endswith(b"\n"):
            os.ftruncate(self._fd, self._end + data.rfind(b"\n") + 1)

    def _read(self, data: bytes) -> None:
        for cells in csv.reader(io.StringIO(data.decode(), newline=""), strict=True):
            if len(cells) != len(self.columns):
                raise StudyError(f"{self._path} has a malformed line: {','.join(cells)}")
            self.rows.append(Row(zip(self.columns, cells)))
            self._done.add(tuple(cells[:self._key_count]))
        self._end += len(data)

    def _write(self, line: str) -> None:
        data, end = line.encode(), os.fstat(self._fd).st_size
        while data:
            written = os.pwrite(self._fd, data, end)
            data, end = data[written:], end + written

    def _lock_for_appending(self) -> None:
        try:
            fcntl.lockf(self._fd, fcntl.LOCK_EX, 1, _APPENDING)
        except OSError as error:
            raise StudyError(f"cannot lock {self._path}: {error.strerror}") from None

    def _unlock(self, place: int) -> None:
        fcntl.lockf(self._fd, fcntl.LOCK_UN, 1, place)
