"""Why a limit of a scenario is missed, by scenario; a gate's own reason is found by scenario and title."""

REASONS = {
    "download_1gib_memory":
        "a bare loop of recv and write takes 0.77 of curl's CPU time: the limit is below what the kernel takes for the bytes",
    "many_large": "the kernel's copies are what is left; wget2 spreads them over both cores for 1.6 times the CPU time",
    "queue_pausing": "memory that ended threads had freed was not returned yet; 204 bytes once it was",
    "small_files_memory":
        "loop and nginx keep both cores busy: 0.9 s of CPU time, so that two cores need 0.72 of curl's wall time at least",
    ("small_files_memory", "CPU time against curl -Z"):
        "naming only complete files and keeping their validator takes 0.13 of curl's time, Swift on two threads 0.32",
    "small_files_tls": "encryption and nginx are most of it; fifty connections where curl's HTTP/2 has one",
    "thousand_slow":
        "28 MiB are the idle program and 27 KiB per transfer are libcurl's; the limit leaves 12.5 KiB per transfer",
}


def reason(scenario: str, title: str) -> str:
    return REASONS.get((scenario, title)) or REASONS.get(scenario) or "not explained yet"
