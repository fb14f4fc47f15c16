import Testing

@testable import SessionCore

/// Parts that neither a tag nor a date nor a checksum vouches for, where their end is to be compared.
@Suite("Comparing the end of a part")
struct OverlapPolicyTests {
    private static let offset: Int64 = 500_000
    private let request = TransferRequest(url: "http://h/f.bin")

    private func metadata(_ change: (inout StoredMetadata) -> Void = { _ in }) -> StoredMetadata {
        var metadata = StoredMetadata(url: request.url, finalURL: request.url, method: "GET", status: 200)
        metadata.length = 1_000_000
        change(&metadata)
        return metadata
    }

    private func judge(_ range: String, _ metadata: StoredMetadata, fields: [(String, String)] = []) -> ResumeAction {
        var head = ResponseHead(statusCode: 206, url: request.url)
        head.headers.append(name: "Content-Range", value: range)
        for field in fields { head.headers.append(name: field.0, value: field.1) }
        return ResumePolicy.judge(
            head, request: request, metadata: metadata, offset: Self.offset, comparesOverlap: true, now: 0)
    }

    @Test("The range begins 64 KiB before the end of the part, and no condition is made")
    func range() {
        let fields = ResumePolicy.rangeRequest(metadata(), offset: Self.offset, comparesOverlap: true)
        #expect(fields?.range == "bytes=434464-")
        #expect(fields?.ifRange == nil)
    }

    @Test("A tag or a checksum that vouches for the part needs no comparison")
    func notNeeded() {
        let tagged = metadata { $0.entityTag = "\"one\"" }
        let fields = ResumePolicy.rangeRequest(tagged, offset: Self.offset, comparesOverlap: true)
        #expect(fields?.range == "bytes=500000-" && fields?.ifRange == "\"one\"")
        let proven = ResumePolicy.rangeRequest(
            metadata(), offset: Self.offset, hasChecksum: true, comparesOverlap: true)
        #expect(proven?.range == "bytes=500000-")
    }

    @Test("Without the wish, a length, or enough bytes nothing is compared")
    func refused() {
        #expect(!ResumePolicy.mayResume(metadata(), partSize: Self.offset).isGiven)
        let unknown = metadata { $0.length = nil }
        #expect(!ResumePolicy.mayResume(unknown, partSize: Self.offset, comparesOverlap: true).isGiven)
        #expect(!ResumePolicy.mayResume(metadata(), partSize: 65_536, comparesOverlap: true).isGiven)
        #expect(ResumePolicy.mayResume(metadata(), partSize: 65_537, comparesOverlap: true).isGiven)
    }

    @Test("The answer has to begin where it was asked to, and to name the same length")
    func answers() {
        guard case .append(let plan) = judge("bytes 434464-999999/1000000", metadata()) else {
            Issue.record("a range as it was asked for is refused")
            return
        }
        #expect(plan.overlap == 65_536 && plan.offset == Self.offset && plan.completesFile)
        for range in [
            "bytes 434465-999999/1000000", "bytes 500000-999999/1000000", "bytes 434464-999999/*",
            "bytes 434464-1000000/1000001",
        ] {
            guard case .restart = judge(range, metadata()) else {
                Issue.record("\(range) is accepted")
                continue
            }
        }
    }

    @Test("A tag or a date that is another one says that the file has changed")
    func changed() {
        let weak = metadata { $0.entityTag = "W/\"one\"" }
        guard case .restart = judge("bytes 434464-999999/1000000", weak, fields: [("ETag", "W/\"two\"")]) else {
            Issue.record("another weak tag is accepted")
            return
        }
    }
}
