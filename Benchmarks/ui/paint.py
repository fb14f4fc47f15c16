"""First paint: the time from fork until half of what the finished screen shows is there, as a terminal sees it."""

from ui.terminal import Terminal


def first_paint(command: list[str], home: str, quiet: float = 0.4, type: str = "tmux-256color") -> float:
    """Seconds. `type` is one that pyte knows everything of."""
    with Terminal(command, type=type, home=home) as terminal:
        end = 20
        while not terminal.received and end > 0:
            terminal.read(0.1)
            end -= 0.1
        # A program that moves is never quiet; what it shows after a while counts as finished.
        for _ in range(10):
            if terminal.read(quiet) == 0:
                break
        return half_painted(terminal)


def half_painted(terminal: Terminal) -> float:
    import pyte

    def replay():
        screen = pyte.Screen(terminal.width, terminal.height)
        stream = pyte.ByteStream(screen)
        for moment, data in terminal.received:
            # pyte takes the answer to a question some programs ask for text.
            stream.feed(data.replace(b"\x1b[?2026h", b"").replace(b"\x1b[?2026l", b""))
            yield moment, sum(1 for line in screen.display for cell in line if cell != " ")

    steps = list(replay())
    wanted = steps[-1][1] / 2
    return next(moment for moment, count in steps if count >= wanted)
