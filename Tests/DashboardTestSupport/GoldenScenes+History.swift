package import Dashboard

/// The scenes of ended tasks of earlier runs, and of rates in the latest seconds.
extension GoldenScenes {
    /// The ends of two days.
    static func history(_ size: Size, keys: String) -> Model {
        var model = pressed(size, "", then: [.control("r")])
        send(&model, .history(historyPage, problem: nil))
        for key in keys.map(KeyPress.character) { send(&model, .key(key)) }
        return model
    }

    /// Four ends of two days.
    package static let historyPage = HistoryPage(
        [
            line(
                "2026-11-28", "10:17", .download, .done, "debian-12.11.0-amd64-netinst.iso", "cdimage.debian.org",
                662_700_032, seconds: 64),
            line(
                "2026-11-28", "09:58", .data, .failed, "GET /v2/items", "api.example.com", 0, seconds: 1,
                reason: "404 Not Found from api.example.com"),
            line(
                "2026-11-28", "09:02", .upload, .cancelled, "photos.zip → /incoming/photos.zip", "mirror.example.org",
                41_000_000, seconds: 20),
            line(
                "2026-11-27", "23:40", .download, .done, "release-2026.11-linux-x86_64.tar.zst", "mirror.example.org",
                98_304_000, seconds: 30),
        ], now: 1_795_860_000, today: "2026-11-28")

    private static func line(
        _ day: SafeText, _ time: SafeText, _ kind: Job.Kind, _ outcome: HistoryEntry.Outcome, _ name: SafeText,
        _ host: SafeText, _ bytes: Int64, seconds: Int64, reason: SafeText? = nil
    ) -> HistoryLine {
        HistoryLine(
            day: day, time: time,
            HistoryEntry(
                endedAt: 1_795_860_000 - (day == "2026-11-28" ? 3_600 : 86_400), kind: kind, outcome: outcome,
                name: name, host: host, url: "https://" + host + "/", bytes: bytes, milliseconds: seconds * 1000,
                reason: reason))
    }

    /// Downloads that get faster, slower and stay, for twelve seconds; one has just begun and one waits.
    static func rates(_ size: Size) -> Model {
        var model = Model()
        send(&model, .resized(size))
        send(&model, .clock(1000))
        let names: [SafeText] = ["faster.iso", "slower.iso", "steady.iso", "new.iso", "waiting.iso"]
        var rows = names.enumerated().map { index, name in
            var row = RowSnapshot(id: UInt64(index + 1), kind: .download, name: name, url: "https://h.example/" + name)
            (row.host, row.expected, row.protocolName) = ("h.example", 64 << 20, "h1")
            row.state = index < 3 ? .running : .queued
            return row
        }
        for step in 0..<24 {
            if step == 20 { rows[3].state = .running }
            for (index, speed) in [step * 40_000, (24 - step) * 40_000, 500_000, 300_000].enumerated() {
                if rows[index].state == .running { rows[index].received += Int64(speed / 2) }
            }
            send(&model, .rows(rows))
            send(&model, .clock(1500 + Int64(step) * 500))
        }
        return model
    }
}
