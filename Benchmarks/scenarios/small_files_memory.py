"""10,000 files of 10 KiB from one list, to a file system in memory."""

import pathlib
import tempfile

from support import small_files
from support.bench import Bench


def run(bench: Bench) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        small_files.run(bench, pathlib.Path(folder) / "small", rivals=True)
