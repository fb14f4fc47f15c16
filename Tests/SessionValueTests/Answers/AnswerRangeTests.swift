import SessionSupport
import Testing

@testable import SessionCore

@Suite("Steps: answers beside the lead's")
struct AnswerRangeTests {
    private static let total: Int64 = 1_000_000

    private static var metadata: StoredMetadata {
        var metadata = StoredMetadata(url: "http://host/file", finalURL: "http://host/file", method: "GET", status: 200)
        (metadata.entityTag, metadata.length) = ("\"a\"", total)
        return metadata
    }

    private func judge(
        _ head: ResponseHead, overlap: Int64 = 0, contiguousEnd: Int64 = 0, metadata: StoredMetadata? = Self.metadata
    ) -> AnswerVerdict {
        AnswerSteps.verdict(
            on: head, .branch,
            GivenFacts {
                $0.range = RangeState(
                    range: 500_000..<600_000, overlap: overlap, contiguousEnd: contiguousEnd, metadata: metadata,
                    total: Self.total)
            })
    }

    private func part(
        _ range: String = "500000-599999/1000000", length: String? = "100000", tag: String? = "\"a\""
    ) -> ResponseHead {
        var head = ResponseHead.given(206, ["Content-Range": "bytes \(range)"])
        if let length { head.headers.append(name: "Content-Length", value: length) }
        if let tag { head.headers.append(name: "ETag", value: tag) }
        return head
    }

    @Test("A branch takes its range of the same version or the beginning of that, and nothing else")
    func ranges() {
        #expect(judge(part()) == .range(.accepted(end: 600_000)))
        #expect(judge(part("500000-565535/1000000", length: "65536")) == .range(.accepted(end: 565_536)))
        // A connection for each few bytes would never come to an end.
        #expect(judge(part("500000-500000/1000000", length: "1")) == .range(.contradicts))
        #expect(judge(part("500000-565534/1000000", length: "65535")) == .range(.contradicts))
        #expect(judge(part(), contiguousEnd: 500_001) == .range(.overtaken))
        #expect(judge(part("499744-599999/1000000", length: "100256"), overlap: 256) == .range(.accepted(end: 600_000)))
        #expect(
            judge(part("499744-499999/1000000", length: "256"), overlap: 256) == .range(.contradicts), "nothing new")
        for other in [
            part("499744-599999/1000000", length: "100256"), part("500001-599999/1000000", length: "99999"),
            part("500000-600000/1000000", length: "100001"),
            part("500000-599999/1000001"), part(length: nil), part(tag: nil), part(tag: "\"b\""),
            .given(200, ["ETag": "\"a\"", "Content-Length": "1000000"]), .given(204), .given(416), .given(412),
        ] { #expect(judge(other) == .range(.contradicts), "\(other.statusCode) \(other.headers)") }
        #expect(judge(part(), overlap: 256) == .range(.contradicts), "it has to repeat what it was asked to")
        #expect(judge(part(), metadata: nil) == .range(.contradicts), "nothing vouches for it")
    }

    @Test("A branch that is not served now is refused", arguments: [403, 404, 429, 500, 503])
    func refused(status: Int) {
        #expect(judge(.given(status)) == .range(.refused(reason: "\(status)")))
    }

    @Test("A refusal that asks for patience says for how long, and one for good does not")
    func patience() {
        let busy = ResponseHead.given(503, ["Retry-After": "30"])
        #expect(judge(busy) == .range(.refused(reason: "503", askedWait: 30_000)))
        #expect(judge(.given(404, ["Retry-After": "30"])) == .range(.refused(reason: "404")))
        guard case .block(.refused(let refusal, true)) = compare(busy) else {
            return #expect(Bool(false), "no block")
        }
        #expect(refusal.askedWait == 30_000)
    }

    private func compare(
        _ head: ResponseHead, date: String? = nil, earlier: StoredMetadata? = nil, isCompared: Bool = true,
        checksum: Checksum? = nil
    ) -> AnswerVerdict {
        AnswerSteps.verdict(
            on: head, .probe,
            GivenFacts {
                $0.block = BlockState(
                    range: 500_000..<600_000, length: Self.total, date: date, earlier: earlier, isCompared: isCompared,
                    checksum: checksum)
            })
    }

    @Test("A mirror's block is compared unless a digest says enough")
    func blocks() throws {
        guard case .block(.accepted(let metadata)) = compare(part()) else {
            return #expect(Bool(false), "it is the block")
        }
        #expect(metadata.entityTag == "\"a\"" && metadata.isFromAnotherURL)
        guard case .block(.accepted) = compare(part(), earlier: metadata) else {
            return #expect(Bool(false), "it is of the same version")
        }
        for other in [part(tag: "\"b\""), .given(200)] {
            guard case .block(.refused(let refusal, false)) = compare(other, earlier: metadata) else {
                return #expect(Bool(false), "another version")
            }
            #expect(refusal.reason == MirrorReasons.fileChanged)
        }
        guard case .block(.refused(let full, true)) = compare(.given(200, ["Content-Length": "1000000"])),
            case .block(.refused(let other, false)) = compare(.given(200, ["Content-Length": "5"])),
            case .block(.refused(_, true)) = compare(.given(503)),
            case .block(.refused(_, false)) = compare(.given(404))
        else { return #expect(Bool(false), "none of these is the block") }
        #expect(full.lacksRanges && other.isOther)
    }

    @Test("A mirror whose file is of another date has another file, unless a checksum tells more")
    func dates() {
        let (old, new) = ("Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 08 Jan 2024 00:00:00 GMT")
        var head = part()
        for date in [nil, old] {
            guard case .block(.accepted) = compare(head, date: date) else {
                return #expect(Bool(false), "it says none")
            }
        }
        head.headers.append(name: "Last-Modified", value: new)
        guard case .block(.refused(let refusal, false)) = compare(head, date: old),
            case .block(.accepted) = compare(head, date: new), case .block(.accepted) = compare(head)
        else { return #expect(Bool(false), "the date decides") }
        #expect(refusal.isOther)
    }

    @Test("A digest of the whole proves a mirror or refuses it")
    func digests() throws {
        let right = try Digest.of([1, 2, 3], .sha256)
        var head = part()
        head.headers.append(name: "Digest", value: "SHA-256=\(Base64.encode(right))")
        let checksum = Checksum(algorithm: .sha256, digest: right)
        guard case .block(.same) = compare(head, checksum: checksum),
            case .block(.accepted) = compare(head, isCompared: false, checksum: checksum),
            case .block(.refused) = compare(
                head, checksum: Checksum(algorithm: .sha256, digest: try Digest.of([4], .sha256)))
        else { return #expect(Bool(false), "the digest decides") }
    }
}
