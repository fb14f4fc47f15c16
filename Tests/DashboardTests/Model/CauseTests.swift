import DashboardTestSupport
import DashboardView
import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("Why a row failed, in a word")
struct CauseTests {
    @Test("Every cause has words of ASCII, each shorter than the one before, the shortest fit for narrow columns")
    func words() {
        for cause in Cause.allCases {
            let counts = cause.words.map { $0.string.utf8.count }
            #expect(counts == counts.sorted(by: >) && Set(counts).count == counts.count, "\(cause)")
            #expect(counts.first.map { $0 <= 11 } ?? false, "\(cause)")
            #expect(cause.words.contains { $0.string.utf8.count <= 8 }, "\(cause)")
            #expect(cause == .sessionInvalidated || (counts.last ?? 9) <= 5, "\(cause)")
            #expect(cause.words.allSatisfy { $0.string.utf8.allSatisfy { $0 < 0x7F } })
        }
    }

    @Test(
        "The word is the longest that has room",
        arguments: [
            (Cause.connectionRefused, nil, 11, "refused"), (.connectionRefused, nil, 7, "refused"),
            (.connectionRefused, nil, 5, "conn"), (.unknownHost, nil, 7, "DNS"), (.timedOut, nil, 9, "timed out"),
            (.timedOut, nil, 7, "timeout"), (.timedOut, nil, 5, "time"), (.tls, nil, 11, "TLS error"),
            (.tls, nil, 7, "TLS"),
            (.http, 404, 11, "404"), (.http, 404, 5, "404"), (.http, 404, 2, ""), (.http, nil, 11, "status"),
            (.authenticationRequired, 401, 7, "401"), (.authenticationRequired, nil, 11, "password"),
            (.diskFull, nil, 11, "disk full"), (.diskFull, 200, 7, "full"), (.checksum, 200, 11, "checksum"),
            (.checksum, nil, 7, "sum"), (.stalled, nil, 7, "stalled"), (.certificate, nil, 7, "cert"),
            (.tooManyRedirects, 302, 11, "redirects"), (.tooManyRedirects, 302, 7, "loop"),
        ] as [(Cause, Int?, Int, String)])
    func room(cause: Cause, status: Int?, cells: Int, word: String) {
        #expect(cause.word(status: status, cells: cells).string == word)
    }

    private static func row(_ state: RowState, _ cause: Cause?, status: Int? = nil) -> RowSnapshot {
        var row = RowSnapshot(id: 1, kind: .download, name: "file.iso", url: "http://a/file.iso")
        row.state = state
        row.cause = cause
        row.statusCode = status
        (row.failedAttempts, row.retryLimit, row.retryAt) = (2, 5, 9000)
        (row.received, row.expected) = (500, 1000)
        return row
    }

    private func model(_ rows: [RowSnapshot], columns: Int) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: columns, rows: 12)))
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(rows))
        return model
    }

    private func line(_ row: RowSnapshot, columns: Int, _ glyphs: GlyphSet = .blocks) -> String {
        let model = model([row], columns: columns)
        let capabilities = ViewCapabilities(glyphs: glyphs, showsUnicode: glyphs != .ascii)
        let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: capabilities))
        return text.split(separator: "\n").first { $0.contains("file") }.map(String.init) ?? ""
    }

    @Test("The table says why a row failed or waits, in its state's column or in that of the time")
    func table() {
        #expect(line(Self.row(.failed, .connectionRefused), columns: 100).contains(" refused"))
        #expect(line(Self.row(.failed, .connectionRefused), columns: 80).hasSuffix(" refused"))
        #expect(line(Self.row(.failed, .connectionRefused), columns: 60).hasSuffix(" refused"))
        #expect(line(Self.row(.failed, .connectionRefused), columns: 40).hasSuffix(" refused"))
        #expect(line(Self.row(.failed, .http, status: 404), columns: 40).hasSuffix(" 404"))
        #expect(line(Self.row(.failed, nil), columns: 100).contains(" failed"))
        #expect(line(Self.row(.retrying, .http, status: 503), columns: 100).contains(" 503 2/5"))
        #expect(line(Self.row(.retrying, .connectionRefused, status: 206), columns: 100).contains(" refused 2/5"))
        let never = line(Self.row(.retrying, .connectionRefused), columns: 100)
        #expect(never.contains(" refused 2") && !never.contains("/5"), "it is given up after two retries")
        #expect(line(Self.row(.retrying, .timedOut), columns: 140).contains(" timeout 2/5"))
        #expect(line(Self.row(.retrying, nil), columns: 100).contains(" retry 2/5"))
        #expect(line(Self.row(.retrying, .timedOut), columns: 80).hasSuffix(" try 8s"))
        #expect(line(Self.row(.retrying, .timedOut), columns: 40).hasSuffix(" in 8s"))
    }

    @Test("A row that stands still says so, and for how long where there is room")
    func standstill() {
        for (columns, word) in [(100, "stalled 8s"), (80, "stalled"), (60, "stall"), (40, "stall")] {
            var model = model([Self.row(.running, nil)], columns: columns)
            for second in 2...9 { _ = update(&model, .clock(Int64(second) * 1000)) }
            let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
            #expect(text.contains(" " + word), "\(columns)")
        }
        #expect(!line(Self.row(.running, nil), columns: 100).contains("stalled"))
    }

    @Test("A row whose answer is awaited says so, and for how long, where others stand still, and fills no gauge")
    func awaited() {
        var row = Self.row(.running, nil)
        (row.received, row.expected, row.answerAwaitedSince) = (0, nil, 1_000)
        let words = [140: "waiting 12s", 100: "waiting 12s", 80: "waiting", 60: "wait", 40: "wait"]
        for (columns, words) in words {
            var model = model([row], columns: columns)
            for second in 2...13 { _ = update(&model, .clock(Int64(second) * 1000)) }
            let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
            #expect(text.contains(" " + words) && !text.contains("stall") && !text.contains("░"), "\(columns) \(text)")
        }
        #expect(!line(row, columns: 100).contains("waiting"), "not worth a word yet")
    }

    @Test("A column with a head says whether the bytes would be lost; narrow tables have neither")
    func standing() {
        var row = Self.row(.paused, nil)
        for (continuation, word) in [(Resumability.yes, "yes"), (.unknown, "?"), (.no, "no")] {
            row.continuation = continuation
            for columns in [60, 80, 100, 140] {
                let model = model([row], columns: columns)
                let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
                #expect(text.contains(" RES ") && text.contains("% \(word) "), "\(columns) \(text)")
            }
            for columns in [20, 40] { #expect(line(row, columns: columns).contains(/%( |$)/), "\(columns)") }
        }
    }

    @Test("The word is there only where bytes could be lost")
    func standingRows() {
        var row = Self.row(.running, nil)
        #expect(row.figures.standing == .no)
        row.received = 0
        #expect(row.figures.standing == nil)
        row.received = 1000
        for state in [RowState.done, .verifying, .saving] {
            row.state = state
            #expect(row.figures.standing == nil)
        }
        var request = RowFigures(id: 2, kind: .data)
        (request.state, request.received) = (.running, 100)
        #expect(request.standing == nil)
    }

    @Test("Gauges of running, paused, failed and completed rows differ in role, and in filling or attribute")
    func gauges() throws {
        var seen: Set<Role> = []
        var fillings: Set<String> = []
        for (state, block, plain) in [
            (RowState.running, "█", "#"), (.paused, "▒", "="), (.failed, "×", "x"), (.done, "■", "*"),
        ] {
            let row = Self.row(state, nil)
            #expect(line(row, columns: 80).contains(block))
            #expect(line(row, columns: 80, .ascii).contains("[" + plain))
            let model = model([row], columns: 80)
            let surface = view(model, size: model.size, capabilities: ViewCapabilities())
            let cell = try #require(surface.cells.first { $0.cluster.text == block })
            seen.insert(cell.role)
            for set in GlyphSet.allCases { fillings.insert("\(set) " + Glyphs.gauge(state, in: set).string) }
        }
        #expect(fillings.count == 4 * GlyphSet.allCases.count)
        #expect(seen == [.gaugeFill, .gaugeWaiting, .gaugeFailed, .gaugeDone])
    }

    @Test("The body of an error fills no gauge, neither while it comes nor afterwards")
    func errorBody() {
        for state in [RowState.running, .failed] {
            var row = RowSnapshot(id: 1, kind: .data, name: "GET /file", url: "http://a/file")
            row.state = state
            (row.received, row.expected, row.statusCode, row.cause) = (153, 153, 404, .http)
            let line = line(row, columns: 80)
            #expect(!line.contains("█") && !line.contains("×") && !line.contains("100%"), "\(line)")
            row.statusCode = 200
            #expect(self.line(row, columns: 80).contains("100%"))
        }
    }
}
