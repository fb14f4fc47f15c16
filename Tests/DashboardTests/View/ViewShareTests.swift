import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

/// Numbers of one row that stand beside each other say the same.
@Suite("Numbers that belong together")
struct ViewShareTests {
    private func row(received: Int64) -> RowSnapshot {
        var row = RowSnapshot(id: 1, kind: .download, name: "f", url: "http://h/f")
        row.state = .running
        row.received = received
        row.expected = 1000
        return row
    }

    private func model() -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 120, rows: 36)))
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows([row(received: 100)]))
        return model
    }

    private func text(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities(glyphs: .ascii)))
    }

    @Test("Gauge and percent change together, when the row is measured")
    func gauge() {
        var model = model()
        func shown(_ model: Model) -> (gauge: Int, percent: Int) {
            let line = text(model).split(separator: "\n").first { $0.contains("[") && $0.contains("%") } ?? ""
            let gauge = line.drop { $0 != "[" }.prefix { $0 != "]" }
            let full = gauge.count { $0 != "[" && $0 != "-" }
            let words = line.split(separator: " ").first { $0.hasSuffix("%") } ?? "0%"
            return (full * 100 / max(gauge.count - 1, 1), Int(Double(words.dropLast()) ?? 0))
        }
        for (step, bytes) in [Int64(300), 560, 830].enumerated() {
            _ = update(&model, .figures([row(received: bytes).figures]))
            for time in [Int64(step * 600 + 1100), Int64(step * 600 + 1700)] {
                let now = shown(model)
                #expect(abs(now.gauge - now.percent) <= 10, "\(now)")
                _ = update(&model, .clock(time))
            }
        }
    }

    @Test("The speeds of the connections add up to the speed of their task")
    func segments() throws {
        var model = model()
        for step in 1...10 {
            _ = update(&model, .figures([row(received: 100 + Int64(step) * 50).figures]))
            _ = update(&model, .clock(1000 + Int64(step) * 500))
        }
        var details = RowDetails()
        details.segments = [
            .init(start: 0, end: 500, received: 100, rate: 4_000),
            .init(start: 500, end: 1000, received: 100, rate: 4_000),
        ]
        _ = update(&model, .details(1, details))
        let row = try #require(model.rows[1])
        let rate = try #require(model.rates.speed(of: 1))
        let half = SizeText.rate(rate / 2, units: model.units)
        let lines = DetailsContent(model: model, row: row).segmentLines.map(\.text.string)
        #expect(lines.count { $0.hasSuffix(half.string) } == 2, "\(lines)")
    }

    @Test("The curve in the header is scaled by what it shows, and not by a burst of long ago")
    func burst() {
        var model = model()
        var bytes: Int64 = 100
        for second in 1...400 {
            bytes += second < 4 ? 100_000_000 : 100_000
            var row = row(received: bytes)
            row.expected = nil
            _ = update(&model, .figures([row.figures]))
            _ = update(&model, .clock(1000 + Int64(second) * 1000))
        }
        #expect(model.rates.peakDown > 10_000_000)
        let header = text(model).split(separator: "\n").prefix(3).joined(separator: "\n")
        #expect(header.contains("  97.6K"), "\(header)")
    }

    @Test("An answer that has no body is said to have none, and of one that is under way it is not known yet")
    func missingBody() throws {
        var model = Model()
        _ = update(&model, .clock(1000))
        for (state, status, received, words) in [
            (RowState.running, 200, Int64(0), DetailsLines.noBodyYet), (.done, 200, 0, DetailsLines.emptyBody),
            (.failed, nil, 0, DetailsLines.noResponseBody), (.done, 200, 5, DetailsLines.bodyNotKept("r")),
        ] as [(RowState, Int?, Int64, SafeText)] {
            var row = RowSnapshot(id: 1, kind: .data, name: "f", url: "http://h/f")
            row.state = state
            row.statusCode = status
            row.received = received
            _ = update(&model, .rows([row]))
            _ = update(&model, .details(1, RowDetails()))
            let lines = DetailsContent(model: model, row: row).lines(of: .body).map(\.text)
            #expect(lines == [words])
        }
    }

    @Test("What is cleared is said to leave files only where there are some")
    func cleared() {
        for (received, sentence) in [(Int64(0), nil), (5, QuestionLines.partsKept)] as [(Int64, SafeText?)] {
            var model = Model()
            _ = update(&model, .resized(Size(columns: 80, rows: 24)))
            var row = row(received: received)
            row.state = .cancelled
            _ = update(&model, .rows([row]))
            _ = update(&model, .key(.character("C")))
            #expect(text(model).contains("Keeps") == (sentence != nil))
            if let sentence { #expect(text(model).contains(sentence.string)) }
        }
    }

    @Test("Of a line that is too long the words are cut, and the keys behind them are whole or not there")
    func hints() {
        var model = model()
        var failed = row(received: 100)
        failed.name = "a-rather-long-name-of-a-file.tar.gz"
        failed.state = .failed
        failed.error = "404 Not Found"
        _ = update(&model, .rows([failed]))
        for (columns, end) in [(120, "- r retry, Enter details"), (60, "- r retry, Enter details"), (28, "- r retry")] {
            _ = update(&model, .resized(Size(columns: columns, rows: 24)))
            let line = text(model).split(separator: "\n").first { $0.contains("a-rather") && $0.contains("retry") }
            #expect(line?.trimmingSuffix.hasSuffix(end) == true, "\(line ?? "")")
        }
    }
}

extension Substring {
    /// The text without blanks at its end.
    fileprivate var trimmingSuffix: String {
        var text = String(self)
        while text.last == " " { text.removeLast() }
        return text
    }
}
