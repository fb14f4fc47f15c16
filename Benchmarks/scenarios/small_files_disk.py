"""10,000 files of 10 KiB from one list, to the disk."""

from support import small_files
from support.bench import Bench


def run(bench: Bench) -> None:
    small_files.run(bench, bench.folder / "small", sets_aside=True)
