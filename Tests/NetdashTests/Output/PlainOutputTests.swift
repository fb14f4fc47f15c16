import Glibc
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Lines", .timeLimit(.minutes(1)))
struct PlainOutputTests {
    private let formatter = PlainEventFormatter(clock: { _ in "12:00:00" })

    private func line(_ what: TransferEvent.What, url: String? = nil) -> String {
        let event = TransferEvent(time: Timestamp(milliseconds: 0), id: 7, url: url, what: what)
        return String(decoding: formatter.line(for: event), as: UTF8.self)
    }

    @Test("Each event is one line with time and id")
    func lines() {
        #expect(line(.started) == "12:00:00 #7 started\n")
        let figures = TransferEvent.Figures(received: 1 << 20, expectedToReceive: 4 << 20, bytesPerSecond: 2 << 20)
        #expect(line(.progress(figures)) == "12:00:00 #7 received 1.0 MiB of 4.0 MiB (25%), 2.0 MiB/s\n")
        let done = TransferEvent.Completion(path: "/tmp/x", bytes: 10, sha256: nil, seconds: 1.5)
        #expect(line(.completed(done)) == "12:00:00 #7 completed, 10 B in 1.50s: /tmp/x\n")
        var rest = done
        rest.earlierBytes = 4
        #expect(line(.completed(rest)) == "12:00:00 #7 completed, 10 B (6 B in 1.50s): /tmp/x\n")
        #expect(
            line(.retrying(attempt: 2, afterSeconds: 1, reason: "timed out"))
                == "12:00:00 #7 retry 2 in 1.00s: timed out\n")
    }

    @Test("What was here before an answer came moved at no speed")
    func origin() {
        var figures = TransferEvent.Figures(received: 500, resumedAt: 400)
        #expect(figures.origin == 400)
        figures.received = 300
        #expect(figures.origin == 300)
        figures = TransferEvent.Figures(sent: 500, resumedAt: 400)
        #expect(figures.origin == 0)
    }

    @Test("A failure names its URL, and so does a success without a file; a repetition says what it is")
    func urls() {
        let url = "http://u:p@h/x?token=1"
        let failure = TransferFailure(kind: "http", category: .ordinary, message: "No", partPath: "/p")
        #expect(line(.failed(failure), url: url) == "12:00:00 #7 failed: No: http://***@h/x?token=*** (kept /p)\n")
        let about = TransferFailure(kind: "http", category: .ordinary, message: "Bad http://h/x")
        #expect(line(.failed(about), url: "http://h/x") == "12:00:00 #7 failed: Bad http://h/x\n")
        let done = TransferEvent.Completion(path: nil, bytes: 10, sha256: nil, seconds: 1.5)
        #expect(line(.completed(done), url: url) == "12:00:00 #7 completed, 10 B in 1.50s: http://***@h/x?token=***\n")
        var job = TransferEvent.Description(kind: .download, url: "http://h/x", method: "GET", path: nil)
        job.isRepeated = true
        #expect(line(.added(job)) == "12:00:00 #7 already in the list: download GET http://h/x\n")
    }

    @Test("Text from outside cannot control the terminal, and secrets of a URL do not appear")
    func untrusted() {
        let failure = TransferFailure(kind: "http", category: .ordinary, message: "bad \u{1B}]52;c;x\u{7} \u{202E}\n")
        #expect(line(.failed(failure)) == "12:00:00 #7 failed: bad ␛]52;c;x␇ ·␊\n")
        let job = TransferEvent.Description(
            kind: .download, url: "http://me:pw@h/x?token=abc&a=1", method: "GET", path: nil)
        #expect(line(.added(job)) == "12:00:00 #7 added download GET http://***@h/x?token=***&a=1\n")
    }

    @Test("The summary counts what happened and leaves out what did not")
    func summary() {
        let failure = TransferFailure(kind: "http", category: .ordinary, message: "no")
        let results: [TransferResult] = [.completed, .failed(failure), .completed, .unfinished]
        let summary = RunSummary(results: results, moved: MovedBytes(received: 2048), seconds: 3)
        let text = String(decoding: formatter.line(for: summary, time: Timestamp(milliseconds: 0)), as: UTF8.self)
        #expect(text == "12:00:00 2 completed, 1 failed, 1 unfinished, 2.0 KiB in 3.00s\n")
    }

    @Test("Progress lines come every ten seconds or ten percent, and never without a byte")
    func gate() {
        var gate = ProgressGate(rule: .lines, startedAt: 0)
        let samples: [(moved: Int64, time: Int64)] = [
            (0, 20_000), (10, 600), (19, 1200), (20, 1300), (21, 11_299), (21, 11_300),
        ]
        let answers = samples.map { gate.admits(moved: $0.moved, of: 100, at: $0.time) }
        #expect(answers == [false, true, false, true, false, true])
        var unknown = ProgressGate(rule: .lines, startedAt: 0)
        let later = [9999, 10_000].map { unknown.admits(moved: $0, of: nil, at: $0) }
        #expect(later == [false, true])
        var json = ProgressGate(rule: .json, startedAt: 0)
        let often = [499, 500, 501, 1000].map { json.admits(moved: $0, of: nil, at: $0) }
        #expect(often == [false, true, false, true])
    }

    @Test("Lines are collected, written when one has waited long enough, and dropped when the reader has gone")
    func writer() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        var writer = LineWriter(descriptor: ends[1])
        writer.append(Array("a\n".utf8), at: 1000)
        writer.append(Array("b\n".utf8), at: 1050)
        writer.flushIfDue(at: 1099)
        #expect(try Descriptor.read(ends[0], limit: 100) == nil)
        #expect(writer.deadline == 1100)
        writer.flushIfDue(at: 1100)
        #expect(try Descriptor.read(ends[0], limit: 100) == Array("a\nb\n".utf8))
        #expect(writer.deadline == nil)
        signal(SIGPIPE, SIG_IGN)
        close(ends[0])
        writer.append(Array("c\n".utf8), at: 2000)
        writer.flush()
        #expect(writer.failure == EPIPE)
        close(ends[1])
    }

    @Test("Lines that are held back come in order when every hold before them has ended, at once where asked for")
    func heldLines() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        var writer = LineWriter(descriptor: ends[1])
        func append(_ text: String, at time: Int64) { writer.append(Array(text.utf8), at: time) }
        append("a\n", at: 1000)
        writer.hold(1)
        append("b\n", at: 1010)
        writer.hold(2)
        append("c\n", at: 1020)
        writer.flushIfDue(at: 2000)
        #expect(try Descriptor.read(ends[0], limit: 100) == Array("a\n".utf8))
        #expect(writer.deadline == nil, "nothing may be written")
        writer.release(2)
        #expect(writer.deadline == nil)
        writer.release(1)
        #expect(writer.deadline == 1110)
        writer.flushIfDue(at: 2000)
        #expect(try Descriptor.read(ends[0], limit: 100) == Array("b\nc\n".utf8))
        writer.hold(3)
        append("d\n", at: 2000)
        writer.flush()
        #expect(try Descriptor.read(ends[0], limit: 100) == nil)
        writer.release(3)
        #expect(try Descriptor.read(ends[0], limit: 100) == Array("d\n".utf8))
        writer.hold(4)
        append("e\n", at: 2000)
        writer.close()
        #expect(try Descriptor.read(ends[0], limit: 100) == Array("e\n".utf8))
    }

    @Test(
        "Secrets are taken out of URLs and headers",
        arguments: [
            ("http://h/a", "http://h/a"), ("http://u@h/", "http://***@h/"),
            ("http://h/?X-Amz-Signature=1&b=2#f", "http://h/?X-Amz-Signature=***&b=2#f"),
            ("http://h/?api_key=1", "http://h/?api_key=***"), ("http://h/?page=1&flag", "http://h/?page=1&flag"),
            ("http://h/#access_token=1", "http://h/#access_token=***"),
            ("http://h/?n=1&code=2#n=3&jwt=x=4", "http://h/?n=1&code=***#n=3&jwt=***"),
            ("http://h/?n=1;session_id=2;m=3", "http://h/?n=1;session_id=***;m=3"),
            ("http://h/?%74oken=1&X-Goog-Date=2", "http://h/?%74oken=***&X-Goog-Date=***"),
            ("http://h/?n=%zz%4", "http://h/?n=%zz%4"),
        ])
    func redaction(url: String, expected: String) {
        #expect(Redaction.url(url) == expected)
        #expect(Redaction.header(name: "Authorization", value: "Basic x") == "***")
        #expect(Redaction.header(name: "Accept", value: "x") == "x")
    }
}
