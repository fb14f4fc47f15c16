"""How the dashboard behaves on a terminal: bytes, wake-ups, processor time, latency, first paint and memory."""
