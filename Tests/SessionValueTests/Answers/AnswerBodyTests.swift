import Testing

@testable import SessionCore

@Suite("Steps: what body an answer brings")
struct AnswerBodyTests {
    private static let error = SessionError(.http, "no")

    @Test(
        "What an upload makes of an answer is what follows",
        arguments: [
            (nil, nil), (.answer, nil), (.next, .uploadStep(restarts: nil)),
            (.readBody, .uploadAnswer),
            (.restartFromZero(reason: "r"), .uploadStep(restarts: "r")),
            (.later(error), .later(error, afterMilliseconds: 2_000)), (.fail(error), .refused(error)),
        ] as [(ResumableUpload.Outcome?, AnswerVerdict?)])
    func upload(outcome: ResumableUpload.Outcome?, verdict: AnswerVerdict?) {
        let facts = GivenFacts { $0.outcome = outcome }
        #expect(AnswerSteps.uploadStep(.given(503, ["Retry-After": "2"]), .lead, facts) == verdict)
        #expect(AnswerSteps.uploadStep(.given(200), .branch, facts) == nil)
    }

    @Test(
        "An answer that asks to come back later is one only while nothing more may be tried",
        arguments: [
            (503, true, true, true), (429, true, true, true), (503, false, true, false), (503, true, false, false),
            (404, true, true, false), (200, true, true, false),
        ])
    func later(status: Int, takesEveryStatus: Bool, mayTryAgain: Bool, isTriedAgain: Bool) {
        let facts = GivenFacts {
            $0.takesEveryStatus = takesEveryStatus
            $0.mayTryAgain = mayTryAgain
        }
        let head = ResponseHead.given(status, ["Retry-After": "2"])
        guard case .later(let error, let delay) = AnswerSteps.later(head, .lead, facts) else {
            return #expect(!isTriedAgain)
        }
        #expect(isTriedAgain && delay == 2_000 && error.statusCode == status)
    }

    struct Sized: Sendable {
        var status = 200
        var length: String?
        var range: String?
        var coding: String?
        var contiguousEnd: Int64 = 0
        /// Whether the caller itself has asked for the range.
        var isOwnRange = false
        var isForeign = false
        var isRefused: Bool
    }

    @Test(
        "What announces more than it may have is refused, with what is here and what is repeated counted once",
        arguments: [
            Sized(length: "1000", isRefused: false), Sized(length: "1001", isRefused: true), Sized(isRefused: false),
            Sized(status: 206, length: "600", range: "bytes 400-999/1000", contiguousEnd: 400, isRefused: false),
            Sized(status: 206, length: "700", range: "bytes 300-999/1000", contiguousEnd: 400, isRefused: false),
            Sized(status: 206, length: "701", range: "bytes 300-1000/1001", contiguousEnd: 400, isRefused: true),
            Sized(status: 206, length: "601", contiguousEnd: 400, isRefused: true),
            Sized(status: 404, length: "5000", isRefused: false),
            Sized(status: 206, length: "9223372036854775807", contiguousEnd: 400, isRefused: true),
            Sized(length: "1001", coding: "chunked", isRefused: false),
            Sized(status: 206, range: "bytes 400-999/1000", coding: "chunked", contiguousEnd: 400, isRefused: false),
            Sized(status: 206, range: "bytes 400-1000/1001", coding: "chunked", contiguousEnd: 400, isRefused: true),
            Sized(status: 206, range: "bytes 400-999/*", coding: "chunked", contiguousEnd: 400, isRefused: false),
            Sized(status: 206, range: "bytes 400-1000/*", coding: "chunked", contiguousEnd: 400, isRefused: true),
            Sized(status: 206, length: "100", range: "bytes 400-499/1001", contiguousEnd: 400, isRefused: true),
            Sized(
                status: 206, length: "100", range: "bytes 400-499/1001", contiguousEnd: 400, isForeign: true,
                isRefused: false),
            Sized(status: 206, length: "1000", range: "bytes 5000-5999/9000", isOwnRange: true, isRefused: false),
            Sized(status: 206, length: "1001", range: "bytes 5000-6000/9000", isOwnRange: true, isRefused: true),
        ])
    func size(_ sized: Sized) {
        var head = ResponseHead.given(sized.status)
        if let length = sized.length { head.headers.append(name: "Content-Length", value: length) }
        if let range = sized.range { head.headers.append(name: "Content-Range", value: range) }
        if let coding = sized.coding { head.headers.append(name: "Transfer-Encoding", value: coding) }
        let verdict = AnswerSteps.size(
            head, .lead,
            GivenFacts {
                $0.sizeLimit = 1_000
                $0.contiguousEnd = sized.contiguousEnd
                if sized.isOwnRange { $0.original.headers["Range"] = "bytes=5000-" }
                if sized.isForeign { $0.givenFile = GivenFile { $0.foreignLead = lead(needsFirstBlock: true) } }
            })
        guard case .unread(let error) = verdict else { return #expect(!sized.isRefused) }
        #expect(sized.isRefused && error.code == .bodyTooLarge)
    }

    @Test(
        "Lengths that contradict each other, or are none, are refused before everything else, in every role",
        arguments: [
            (200, ["2", "3"], "GET", true), (200, ["2, 3"], "GET", true), (200, ["-2"], "GET", true),
            (302, ["2", "3"], "GET", true), (401, ["2", "3"], "GET", true), (206, ["2", "x"], "GET", true),
            (200, ["2", "2"], "GET", false), (200, ["2, 2"], "GET", false), (200, ["2", "3"], "HEAD", false),
            (304, ["2", "3"], "GET", false), (204, ["2", "3"], "GET", false),
        ])
    func lengths(status: Int, lengths: [String], method: String, isRefused: Bool) {
        var head = ResponseHead.given(status, ["Location": "/b", "WWW-Authenticate": "Basic realm=\"r\""])
        for length in lengths { head.headers.append(name: "Content-Length", value: length) }
        let facts = GivenFacts {
            $0.request.method = method
            $0.answered = [.redirect, .challenge]
        }
        #expect((AnswerSteps.lengths(head, .lead, facts) != nil) == isRefused)
        guard isRefused else { return }
        guard case .unread(let error) = AnswerSteps.verdict(on: head, .lead, facts) else {
            return #expect(Bool(false), "it was taken")
        }
        #expect(error.code == .badResponse && error.statusCode == status)
        #expect(AnswerSteps.verdict(on: head, .branch, facts) == .range(.contradicts))
        let refusal = MirrorAnswer.Refusal(reason: error.message)
        #expect(AnswerSteps.verdict(on: head, .probe, facts) == .block(.refused(refusal, passes: false)))
    }

    @Test("Without anything special a body is taken as a whole, whatever the status", arguments: [200, 404, 500])
    func whole(status: Int) {
        #expect(AnswerSteps.verdict(on: .given(status), .lead, GivenFacts()) == .body(.full))
    }

    @Test("An answer to a download is judged as a file")
    func file() {
        let facts = GivenFacts { $0.givenFile = GivenFile() }
        let head = ResponseHead.given(200, ["Content-Length": "5"])
        #expect(AnswerSteps.verdict(on: head, .lead, facts) == .body(.file(.fresh(.exactly(5)))))
        facts.givenFile?.said = FilePromise(length: 6)
        guard case .body(.contradicts(let error)) = AnswerSteps.verdict(on: head, .lead, facts) else {
            return #expect(Bool(false), "it was announced otherwise")
        }
        #expect(error.code == .unexpectedContent)
        facts.mayBeForeign = true
        #expect(AnswerSteps.verdict(on: head, .lead, facts) == .useNewConnection)
    }

    @Test("A page in the place of a file is believed from a connection of its own alone", arguments: [true, false])
    func foreign(mayBeForeign: Bool) {
        var expectation = FileExpectation()
        expectation.name = "http://host/file.iso"
        let facts = GivenFacts {
            $0.mayBeForeign = mayBeForeign
            $0.givenFile = GivenFile { $0.expectation = expectation }
        }
        let verdict = AnswerSteps.verdict(on: .given(200, ["Content-Type": "text/html"]), .lead, facts)
        guard !mayBeForeign else { return #expect(verdict == .useNewConnection) }
        guard case .body(.file(.failure(let error))) = verdict else {
            return #expect(Bool(false), "it is no file")
        }
        #expect(error.code == .unexpectedContent)
    }

    private func lead(needsFirstBlock: Bool) -> ForeignLead {
        ForeignLead(
            metadata: StoredMetadata(unproven: "http://host/file", length: 1_000_000), length: 1_000_000,
            needsFirstBlock: needsFirstBlock, history: ResumeHistory(), blockLength: 65_536)
    }

    @Test("A source that did not begin the file shows its first block, and then the rest")
    func foreignLead() {
        let facts = GivenFacts {
            $0.givenFile = GivenFile {
                $0.contiguousEnd = 200_000
                $0.foreignLead = lead(needsFirstBlock: true)
            }
        }
        let block = ResponseHead.given(
            206, ["Content-Range": "bytes 0-65535/1000000", "Content-Length": "65536"])
        #expect(AnswerSteps.verdict(on: block, .lead, facts) == .body(.firstBlock(nil)))
        guard case .body(.firstBlock(let full?)) = AnswerSteps.verdict(on: .given(200), .lead, facts),
            case .body(.firstBlock(let busy?)) = AnswerSteps.verdict(on: .given(503), .lead, facts)
        else { return #expect(Bool(false), "neither is the block") }
        #expect(full.shown?.lacksRanges == true && busy.shown == nil)
        guard case .retry = busy.next else { return #expect(Bool(false), "it may have it later") }
        facts.givenFile?.foreignLead = lead(needsFirstBlock: false)
        let rest = ResponseHead.given(
            206, ["Content-Range": "bytes 134464-999999/1000000", "Content-Length": "865536"])
        #expect(
            AnswerSteps.verdict(on: rest, .lead, facts)
                == .body(
                    .foreign(.append(AppendPlan(offset: 200_000, overlap: 65_536, limit: 800_000, total: 1_000_000)))))
    }

    @Test("A body that is passed on goes on where its rest comes, and fails where the whole does")
    func stream() throws {
        let request = TransferRequest(url: "http://host/file")
        var continuation = StreamContinuation()
        continuation.begin(.given(200, ["ETag": "\"a\"", "Content-Length": "1000"]), request: request)
        let facts = GivenFacts { $0.stream = StreamState(continuation: continuation, contiguousEnd: 400) }
        let rest = ResponseHead.given(
            206, ["ETag": "\"a\"", "Content-Range": "bytes 144-999/1000", "Content-Length": "856"])
        #expect(
            AnswerSteps.verdict(on: rest, .lead, facts)
                == .body(.rest(.rest(limit: 600, total: 1_000, overlap: RangeOverlap.short))))
        guard
            case .body(.rest(.fail)) = AnswerSteps.verdict(
                on: .given(200, ["ETag": "\"b\"", "Content-Length": "1000"]), .lead, facts)
        else { return #expect(Bool(false), "what was passed on is of another version") }
        let first = GivenFacts { $0.stream = StreamState(continuation: StreamContinuation(), contiguousEnd: 0) }
        #expect(AnswerSteps.verdict(on: .given(200), .lead, first) == .body(.full))
    }
}
