"""What the servers and the scripts of this folder have in common."""

import random
import sys
import typing


def content(name: str, length: int) -> bytes:
    """Bytes that belong to a name, without repetition: a piece in a wrong place is another file."""
    return random.Random(name).randbytes(length)


def read_request(lines: typing.BinaryIO) -> tuple[str, str, dict[str, str]] | None:
    """The method, the target and the fields of a request, names in lower case; None when the client has left."""
    words = lines.readline().decode("latin-1").split()
    if len(words) < 2:
        return None
    fields = {}
    for line in iter(lines.readline, b"\r\n"):
        if not line:
            return None
        name, _, value = line.decode("latin-1").partition(":")
        fields[name.lower()] = value.strip()
    return words[0], words[1], fields


def settings(script: str, defaults: dict[str, int]) -> dict[str, int]:
    """The numbers of a command line such as `SECONDS=600 SEED=1`; ends the program at anything else."""
    values = dict(defaults)
    for word in sys.argv[1:]:
        name, sign, value = word.partition("=")
        if name not in values or not sign or not (value.isascii() and value.isdigit()):
            known = " or ".join(f"{name}=NUMBER" for name in defaults)
            sys.exit(f'script/{script}: "{word}" is not understood; write {known}')
        values[name] = int(value)
    return values
