import Dashboard

/// The scenes of what makes a download faster, connections and sources, and of what keeps all of them slower.
extension GoldenScenes {
    /// The map of a download's file, and its connections.
    static func segments(_ size: Size) -> Model {
        var model = pressed(size, "B")
        var details = GoldenRows.releaseDetails
        let quarter: Int64 = 128 << 20
        details.segments = [
            RowDetails.Segment(start: 0, end: quarter, received: 100 << 20, rate: 2_300_000),
            RowDetails.Segment(start: quarter, end: 2 * quarter, received: quarter),
            RowDetails.Segment(start: 2 * quarter, end: 3 * quarter, received: 31 << 20, rate: 1_100_000),
            RowDetails.Segment(start: 3 * quarter, end: 3 * quarter + (quarter / 2), received: 0, rate: 0),
            RowDetails.Segment(start: 3 * quarter + (quarter / 2), end: 4 * quarter, received: 0),
        ]
        send(&model, .details(2, details))
        return model
    }

    /// The same of a download from several places, one of which was dropped.
    static func sources(_ size: Size) -> Model {
        var model = pressed(size, "B")
        var details = GoldenRows.releaseDetails
        let half: Int64 = 256 << 20
        details.segments = [
            RowDetails.Segment(start: 0, end: half, received: 100 << 20, rate: 900_000, source: 0),
            RowDetails.Segment(start: half, end: 2 * half, received: 200 << 20, rate: 4_100_000, source: 1),
        ]
        details.sources = [
            RowDetails.Source(
                url: "https://dl.example.net/release-2026.11.tar.zst", state: .proven, connections: 1, rate: 900_000),
            RowDetails.Source(
                url: "https://mirror.example.org/pub/release-2026.11.tar.zst", state: .proven, connections: 1,
                rate: 4_100_000),
            RowDetails.Source(
                url: "https://old.example.com/release.tar.zst", state: .dropped("Different content")),
            RowDetails.Source(url: "https://far.example.jp/release-2026.11.tar.zst", state: .probing),
            RowDetails.Source(url: "https://spare.example.br/release-2026.11.tar.zst", state: .unproven),
        ]
        send(&model, .details(2, details))
        return model
    }

    /// A timetable that is none, in the place of the limits in force.
    static func limitPrompt(_ size: Size) -> Model {
        var model = bounded(size)
        for key in [.character("b"), .control("u")] + "08:00,fast".map(KeyPress.character) + [.enter] {
            send(&model, .key(key))
        }
        return model
    }

    /// Limits in force, and a timetable that was just given.
    static func limits(_ size: Size) -> Model {
        var model = bounded(size)
        for key in [.character("b"), .control("u")] + "08:00,2M 18:00,off".map(KeyPress.character) + [.enter] {
            send(&model, .key(key))
        }
        return model
    }

    /// The details of a row that waits for its turn at a server that has refused more than it gets now.
    static func limitedHost(_ size: Size) -> Model {
        var model = bounded(size)
        send(&model, .limited(["cdn.example.net": 2]))
        while model.current?.id != 7 { send(&model, .key(.down)) }
        send(&model, .key(.enter))
        return model
    }

    private static func bounded(_ size: Size) -> Model {
        var model = table(size)
        var rates = RatesInForce()
        (rates.download, rates.upload) = (24 << 20, 2_560 << 10)
        send(&model, .bounded(rates))
        return model
    }
}
