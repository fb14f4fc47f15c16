/// The connections of a download that has several, and their byte ranges.
extension DetailsContent {
    private typealias Segment = RowDetails.Segment

    /// The sources of the file, with their state and rates; nothing for a single source.
    var sourceLines: [DetailLine] {
        guard details.sources.count > 1 else { return [] }
        let lines = details.sources.enumerated().map { index, source in
            DetailLine(
                label: DetailsLabels.numbered(index + 1), text: [words(of: source), source.url].joined(by: " · "),
                role: source.state.isDropped ? .dim : .plain)
        }
        return [DetailLine(text: DetailsLabels.mirrors(details.sources.count), role: .title)] + lines
            + [DetailLine(text: "")]
    }

    private func words(of source: RowDetails.Source) -> SafeText {
        switch source.state {
        case .dropped(let reason): return DetailsLabels.dropped(reason)
        case .unproven where source.connections == 0: return DetailsLabels.notVerified
        case .probing: return DetailsLabels.verifying
        case .unproven, .proven: break
        }
        let rate = SizeText.rate(share(of: source.rate, details.sources.map(\.rate)), units: model.units)
        switch source.connections {
        case 0: return DetailsLabels.ready
        default: return [DetailsLabels.connections(source.connections), rate].joined(by: " · ")
        }
    }

    /// The map of the file, and a line for each connection; nothing for a download over one.
    var segmentLines: [DetailLine] {
        let segments = details.segments
        guard let length = segments.last?.end, length > 0 else { return [] }
        let working = segments.filter { $0.rate != nil }
        var lines = [DetailLine(text: title(working.count), role: .title)]
        lines += map(segments, length: length)
        for (index, segment) in working.enumerated() {
            lines.append(DetailLine(label: DetailsLabels.numbered(index + 1), text: words(of: segment)))
        }
        let missing = segments.filter { $0.rate == nil && $0.received == 0 }.reduce(0) { $0 + $1.end - $1.start }
        if missing > 0, !working.isEmpty {
            lines.append(DetailLine(text: DetailsLabels.unassigned(size(missing)), role: .dim))
        }
        return lines + [DetailLine(text: "")]
    }

    private func title(_ count: Int) -> SafeText {
        count == 0 ? DetailsLabels.noConnection : DetailsLabels.connections(count)
    }

    /// `12.0M to 24.0M · 45% · 2.1M/s`.
    private func words(of segment: RowDetails.Segment) -> SafeText {
        let percent = PercentText.percent(segment.received, of: segment.end - segment.start) ?? ""
        let rate = SizeText.rate(share(of: segment.rate, details.segments.map(\.rate)), units: model.units)
        var words = [DetailsLabels.range(size(segment.start), size(segment.end)), percent, rate]
        if let source = segment.source { words.append(DetailsLabels.mirror(source + 1)) }
        return words.joined(by: " · ")
    }

    /// A connection's share of the task's displayed rate.
    ///
    /// Connections are measured over another period than their task, so their own figures would not add up to it.
    private func share(of rate: Int64?, _ all: [Int64?]) -> Double {
        let own = Double(rate ?? 0)
        let sum = Double(all.reduce(0) { $0 + ($1 ?? 0) })
        guard sum > 0, let total = model.rates.speed(of: row.id) else { return own }
        return own * total / sum
    }

    private func size(_ bytes: Int64) -> SafeText { SizeText.short(bytes, units: model.units) }

    // MARK: - The map

    private static let mapLines = 4
    /// The lines of a window for each line of the map.
    private static let windowLines = 10
    private static let widestMap = 120

    /// The file from beginning to end: complete, partial and missing cells.
    private func map(_ segments: [RowDetails.Segment], length: Int64) -> [DetailLine] {
        let width = min(max(model.size.columns - 4, 1), Self.widestMap)
        let count = min(max(model.size.rows / Self.windowLines, 1), Self.mapLines)
        let shares = SegmentMap.shares(segments, length: length, cells: width * count)
        return (0..<count).map { line in
            let cells = shares[line * width..<(line + 1) * width]
            return DetailLine(text: cells.map(\.glyph).joined(by: ""), role: .gaugeFill)
        }
    }
}

extension RowDetails.Source.State {
    fileprivate var isDropped: Bool {
        switch self {
        case .dropped: true
        case .unproven, .probing, .proven: false
        }
    }
}

/// The completeness of each cell of a map.
package enum SegmentMap {
    /// The completeness of one cell.
    package enum Share: Sendable, Equatable {
        case none, some, all

        var glyph: SafeText {
            switch self {
            case .none: "·"
            case .some: "▒"
            case .all: "█"
            }
        }
    }

    /// The cells of a file, each for the same number of bytes, except for rounding.
    package static func shares(_ segments: [RowDetails.Segment], length: Int64, cells: Int) -> [Share] {
        var received = [Double](repeating: 0, count: cells)
        let bytes = Double(length) / Double(max(cells, 1))
        for segment in segments where segment.received > 0 {
            let (start, end) = (Double(segment.start) / bytes, Double(segment.start + segment.received) / bytes)
            for cell in Int(start)..<min(Int(end.rounded(.up)), cells) {
                received[cell] += min(end, Double(cell + 1)) - max(start, Double(cell))
            }
        }
        return received.map { $0 <= 0 ? .none : $0 < 0.999 ? .some : .all }
    }
}
