import Foundation
import Testing

@testable import TransferService

/// Everything that goes over the seam between a service and its clients can be written down and read again.
@Suite("Coding of what a service says")
struct SeamCodingTests {
    private static let failure = TransferFailure(
        kind: "http", category: .ordinary, message: "The server answered 404", httpStatus: 404, partPath: "/tmp/.a.part"
    )
    private static let entry = HistoryEntry(
        endedAt: 1, kind: .upload, outcome: .failed, method: "PUT", name: "n", host: "h", url: "u", bytes: 2,
        milliseconds: 3, reason: "r")
    private static let head = TransferEvent.Head(
        version: "HTTP/1.1", reason: "OK", fields: [.init(name: "ETag", value: "\"1\"")])
    private static let events: [TransferEvent.What] = [
        .added(.init(kind: .download, url: "http://h/f", method: "GET", path: "/f", isRepeated: true, tag: "t")),
        .started, .response(status: 206, headers: 3, continuation: .yes, head: head),
        .response(status: 200, headers: 0, continuation: .unknown),
        .progress(.init(received: 1, sent: 2, expectedToReceive: 3, bytesPerSecond: 4, resumedAt: 1, connections: 8)),
        .paused, .resumed, .retrying(attempt: 1, afterSeconds: 0.5, reason: "r"), .restarted(reason: "r"),
        .mirrorDropped(url: "u", reason: "r"), .mirrorSwitched(url: "u", from: "v", reason: "r"), .notice("n"),
        .completed(.init(path: "/f", bytes: 5, sha256: "ab", seconds: 1, proof: .matches("sha-256"))),
        .completed(.init(bytes: 5, proof: .notFound)), .failed(failure), .cancelled,
    ]

    private func isKept<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value
    }

    @Test("Every event, notice and result is read as it was written")
    func notices() throws {
        for (number, what) in Self.events.enumerated() {
            let event = TransferEvent(
                time: Timestamp(milliseconds: 1_793_491_200_042), id: UInt64(number), url: "http://h/f", what: what,
                isEarlier: number % 2 == 0)
            #expect(try isKept(TransferNotice.event(event)), "\(what)")
        }
        let backoff = ServerBackoff(
            host: "h", route: "w", unreached: "p", cause: .http, statusCode: 503, askedAgainAt: 7)
        let notices: [TransferNotice] = [
            .changed(1), .moved(2), .removed([1, 2]), .backoffs([backoff]), .limited(["h": 2, "i": 3]),
            .bounded(RatesInForce(RatePlan(), at: 0)), .complaint("c"), .resolved("d", of: "c"),
            .resolved("d", of: nil), .idle, .saving(1), .saved(1),
        ]
        for notice in notices { #expect(try isKept(notice), "\(notice)") }
        // An end of a service that does not name its complaint.
        let unnamed = #"{"resolved":{"_0":"d"}}"#
        #expect(try JSONDecoder().decode(TransferNotice.self, from: Data(unnamed.utf8)) == .resolved("d", of: nil))
        for result in [TransferResult.completed, .failed(Self.failure), .cancelled, .unfinished] {
            #expect(try isKept(result))
        }
        #expect(try isKept(Interest(showsRows: true, wantsURLs: true)))
    }

    @Test("Rows and their details are read as they were written")
    func rows() throws {
        var row = RowSnapshot(id: 7, kind: .upload, name: "backup.tar", url: "http://h/in")
        row.figures.expected = 100
        row.figures.retryAt = 5
        row.figures.answerAwaitedSince = 3_000
        row.figures.statusCode = 503
        (row.figures.state, row.figures.cause, row.error, row.path) = (.retrying, .http, "503", "/tmp/backup.tar")
        #expect(try isKept(row))
        var details = RowDetails()
        details.statusLine = "200 OK"
        details.segments = [.init(start: 0, end: 10, received: 5, rate: 1, source: 0)]
        details.sources = [.init(url: "u", state: .dropped("r"), connections: 1), .init(url: "v", state: .proven)]
        details.requestHeaders = [.init(name: "Cookie", value: "x", isSecret: true)]
        details.requestBody = BodyPreview(
            bytes: Array("{\"a\": [1, 2]}".utf8), total: 13, contentType: "application/json")
        #expect(details.requestBody.tree != nil)
        #expect(try isKept(details))
        #expect(try isKept(DestinationInfo(occupant: .file, numberedName: "f (1)", keptBytes: 3, isInProgress: true)))
        #expect(try isKept(LeftoverLine(path: "/p", meaning: .resumable, byteCount: 1, age: 2, url: "u")))
    }

    @Test("Every question and answer is read as it was written")
    func questions() throws {
        let row = RowSnapshot(id: 7, kind: .upload, name: "backup.tar", url: "http://h/in")
        let job = Job(kind: .download, url: "http://h/f")
        let questions: [TransferQuestion] = [
            .counts, .summary, .page(after: nil, limit: 5), .page(after: 7, limit: 5), .rows([1]), .figures([1, 2]),
            .details(3), .connections([4]), .connectionCounts([4]), .jobs([5]), .path(6), .destination(job), .leftovers,
            .history, .matching(Self.request),
        ]
        for question in questions { #expect(try isKept(question), "\(question)") }
        let answers: [TransferAnswer] = [
            .counts(RunCounts(live: 1, isIdle: false)),
            .summary(RunSummary(results: [], moved: MovedBytes(received: 1), seconds: 2)),
            .rows([row]), .figures([row.figures]), .details(RowDetails()), .details(nil), .connections([1: "a b"]),
            .connectionCounts([1: 2]),
            .jobs([job]), .path("/p"), .path(nil), .destination(DestinationInfo(keptBytes: 3)),
            .leftovers([LeftoverLine(path: "/p", meaning: .resumable, byteCount: 1, age: 2, url: "u")]),
            .history([Self.entry]),
            .matching(RowMatches(rows: [row], totals: Self.totals)),
            .failed(Self.failure),
        ]
        for answer in answers { #expect(try isKept(answer), "\(answer)") }
    }

    private static var request: RowRequest {
        var request = RowRequest(limit: 5)
        (request.kind, request.states, request.grouping, request.kept) = (.download, [.done], .worker, [7])
        request.orders = [RowRequest.Order(.size, isInverted: true)]
        let bound = RowRequest.Bound(value: 1, isIncluded: true)
        let conditions: [RowRequest.Condition] = [
            .text("a"), .host("b"), .error("c", [.http]), .pattern("d"), .states([.failed]), .kinds([.data]),
            .range(.progress, lower: bound, upper: nil),
        ]
        request.groups = [conditions.map { RowRequest.Term($0, isNegated: true) }]
        return request
    }

    private static var totals: RowTotals {
        let cells = [RowTotals.Cell(.download, .done, count: 1, moved: 2, expected: 3, unmeasured: 4)]
        let group = RowTotals.Group(title: "h", cells: cells)
        return RowTotals(cells: cells, hosts: [group], workers: [group], matching: 5, hasMore: true, problem: "p")
    }

    @Test("Text that is decoded cannot command the terminal")
    func hostileText() throws {
        let text = try JSONDecoder().decode([SafeText].self, from: Data("[\"a\\u001b[31mb\\u202e\"]".utf8))
        let isSafe = text[0].string.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E }
        #expect(isSafe)
    }
}
