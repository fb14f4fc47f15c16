"""Files of a list that each contender fetches into a folder of its own making."""

import filecmp
import pathlib
from collections.abc import Callable

from support.bench import Bench, Contender


class FileList:
    """The lists that programs read, and who fetches them."""

    def __init__(
        self, bench: Bench, source: str, names: list[str], folder: pathlib.Path, url: Callable[[str], str],
        prepare: Callable[[], None] | None = None,
    ):
        """The files of a source below the server's, at the URLs that `url` makes of their paths there."""
        self._names, self._folder, self._sources = names, folder, bench.server.files / source
        self._prepare = prepare or (lambda: bench.fresh_folder(folder))
        urls = [url(f"{source}/{name}") for name in names]
        self.lines = bench.folder / f"{source}.txt"
        """A URL a line."""
        self.lines.write_text("".join(f"{url}\n" for url in urls))
        self.curl = bench.folder / f"{source}.conf"
        """The same as curl reads it."""
        self.curl.write_text("".join(f'url = "{url}"\noutput = "{folder / name}"\n' for url, name in zip(urls, names)))

    def contender(self, name: str, *command: str) -> Contender:
        return Contender(name, list(command), prepare=self._prepare, verify=self._verify)

    def _verify(self) -> None:
        same, _, _ = filecmp.cmpfiles(self._sources, self._folder, self._names, shallow=False)
        count = len(self._names)
        assert len(same) == count, f"{count - len(same)} of {count} files are missing or wrong"
        surplus = len(list(self._folder.iterdir())) - count
        assert surplus == 0, f"{surplus} files too many were left behind"
