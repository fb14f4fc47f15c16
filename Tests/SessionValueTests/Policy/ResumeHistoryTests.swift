import Testing

@testable import SessionCore

@Suite("What earlier answers have shown")
struct ResumeHistoryTests {
    private static let date = "Tue, 02 Jan 2024 03:04:05 GMT"

    private func metadata(tag: String? = "\"a\"", date: String? = date, length: Int64? = 1_000_000) -> StoredMetadata {
        var metadata = StoredMetadata(url: "http://h/f", finalURL: "http://h/f", method: "GET", status: 200)
        (metadata.entityTag, metadata.lastModified, metadata.length) = (tag, date, length)
        if date != nil { metadata.date = "Wed, 03 Jan 2024 03:04:05 GMT" }
        return metadata
    }

    private func head(tag: String?, date: String?, status: Int = 200) -> ResponseHead {
        var head = ResponseHead(statusCode: status, url: "http://h/f")
        if let tag { head.headers.append(name: "ETag", value: tag) }
        if let date { head.headers.append(name: "Last-Modified", value: date) }
        return head
    }

    struct Flip: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var date: String?
        var newDate: String?
        var length: Int64 = 1_000_000
        var hasProof = false
        var joins: Bool
    }

    @Test(
        "Bytes are joined by what they are once nothing but the tag was another twice",
        arguments: [
            Flip(testDescription: "same date", date: date, newDate: date, joins: true),
            Flip(testDescription: "no date", joins: false),
            Flip(testDescription: "no date, a checksum", hasProof: true, joins: true),
            Flip(testDescription: "other date", date: date, newDate: "Wed, 03 Jan 2024 03:04:05 GMT", joins: false),
            Flip(
                testDescription: "other date, a checksum", date: date, newDate: "Wed, 03 Jan 2024 03:04:05 GMT",
                hasProof: true, joins: false),
            Flip(testDescription: "other length", date: date, newDate: date, length: 999_999, joins: false),
        ])
    func otherTags(flip: Flip) {
        var history = ResumeHistory(comparison: .everyRange)
        history.restarted(
            metadata(date: flip.date), for: head(tag: "\"b\"", date: flip.newDate), length: flip.length,
            hasProof: flip.hasProof)
        #expect(!history.joinsByContent)
        history.restarted(
            metadata(tag: "\"b\"", date: flip.date), for: head(tag: "\"a\"", date: flip.newDate), length: flip.length,
            hasProof: flip.hasProof)
        #expect(history.joinsByContent == flip.joins)
        #expect(!history.mayRestart)
    }

    @Test("What a range has to repeat depends on what vouches for it, and on what was seen")
    func overlaps() {
        let dated = metadata(tag: nil)
        var history = ResumeHistory(comparison: .everyRange)
        func overlap(_ metadata: StoredMetadata, offset: Int64 = 400_000, hasChecksum: Bool = false) -> Int64 {
            history.overlap(metadata, at: "http://h/f", offset: offset, hasChecksum: hasChecksum)
        }
        #expect(overlap(metadata()) == RangeOverlap.short)
        #expect(overlap(metadata(), offset: 100) == 100)
        history.endRepeats = true
        #expect(overlap(metadata()) == ResumePolicy.overlapLength)
        history.endRepeats = false
        #expect(overlap(dated) == ResumePolicy.overlapLength)
        #expect(overlap(dated, offset: 100) == 100)
        #expect(overlap(dated, hasChecksum: true) == RangeOverlap.short)
        #expect(overlap(metadata(tag: "W/\"a\"", date: nil), hasChecksum: true) == RangeOverlap.short)
        #expect(overlap(metadata(tag: nil, date: nil), offset: 100, hasChecksum: true) == 100)
        history.sawLie()
        #expect(history.restarts == 1)
        #expect(overlap(metadata()) == ResumePolicy.overlapLength)
        #expect(overlap(dated, hasChecksum: true) == ResumePolicy.overlapLength)
    }

    @Test("A range whose answer does not say how long it is has to repeat the end of the part")
    func uncounted() {
        var answer = head(tag: "\"a\"", date: nil, status: 206)
        answer.headers.append(name: "Content-Range", value: "bytes 400000-999999/1000000")
        answer.headers.append(name: "Transfer-Encoding", value: "chunked")
        let request = TransferRequest(url: "http://h/f")
        func judge(_ history: ResumeHistory) -> ResumeAction {
            ResumePolicy.judge(
                answer, request: request, metadata: metadata(date: nil), offset: 400_000, history: history, now: 0)
        }
        #expect(judge(ResumeHistory()) == .retryWithOverlap)
        answer.headers["Content-Range"] = "bytes 334464-999999/1000000"
        var history = ResumeHistory(comparison: .everyRange)
        history.compareAlways()
        #expect(
            judge(history) == .append(AppendPlan(offset: 400_000, overlap: 65_536, limit: 600_000, total: 1_000_000)))
    }

    @Test("A 206 that was not asked for is the file where it names all of it")
    func wholeAsPart() {
        func action(_ range: String, length: String?) -> ResumeAction {
            var answer = head(tag: "\"a\"", date: nil, status: 206)
            answer.headers.append(name: "Content-Range", value: range)
            if let length { answer.headers.append(name: "Content-Length", value: length) }
            return ResumePolicy.judge(
                answer, request: TransferRequest(url: "http://h/f"), metadata: nil, offset: 0, now: 0)
        }
        #expect(action("bytes 0-99/100", length: "100") == .fresh(.exactly(100)))
        #expect(action("bytes 0-99/100", length: nil) == .fresh(.exactly(100)))
        for (range, length) in [("bytes 0-98/100", "99"), ("bytes 1-99/100", "99"), ("bytes 0-99/*", "100")] {
            guard case .failure = action(range, length: length) else {
                Issue.record("\(range) was taken for the file")
                continue
            }
        }
        guard case .failure = action("bytes 0-99/100", length: "99") else {
            Issue.record("two lengths were taken")
            return
        }
    }

    @Test(
        "Ranges that bring too little are asked for sixteen times, empty ones three times, and one that is worth it starts anew",
        arguments: [
            ([1], 15), ([0], 2), ([65_535], 15), ([65_536], nil), ([1, 65_536], nil), ([0, 1], 4),
        ] as [([Int64], Int?)])
    func meagreRanges(gains: [Int64], allowed: Int?) {
        var history = ResumeHistory()
        var count = 0
        while count < 100, history.rangeEnded(bringing: gains[count % gains.count]) { count += 1 }
        #expect(count == allowed ?? 100)
    }
}
