import SessionSupport
import Testing

@testable import SessionCore

/// The requests of an upload in parts, and what an object store's responses lead to.
@Suite("Uploads in parts")
struct ObjectStoreUploadTests {
    private static let size: Int64 = 5 << 20
    private static let object = "http://store/bucket/key"
    private static let digest = [UInt8](repeating: 1, count: 32)
    private static let content = UploadContent(length: 2 * size + 3, modified: 1)
    private let original: TransferRequest = {
        var request = TransferRequest(url: object, method: "PUT", body: .file(path: "/f"))
        for (name, value) in [
            ("Content-Type", "image/png"), ("x-amz-acl", "private"), ("x-amz-meta-a", "b"), ("Cookie", "c=d"),
            ("If-None-Match", "*"), ("Content-MD5", "no"), ("x-amz-content-sha256", "no"), ("Repr-Digest", "no"),
            ("x-amz-server-side-encryption-customer-key", "k"), ("Cache-Control", "no-cache"), ("Expect", ""),
        ] {
            request.headers.append(name: name, value: value)
        }
        return request
    }()

    private static func upload(begun: UploadLocation? = nil) -> MultipartUpload {
        MultipartUpload(content, to: object, partSize: size, begun: begun)
    }

    private static func location(_ id: String = "up%2F1", content: UploadContent = content) -> UploadLocation {
        UploadLocation(style: .multipart, url: object + "?uploadId=" + id, content: content)
    }

    private func page(_ text: String) -> [UInt8] { Array("<?xml version=\"1.0\"?>\n \(text)".utf8) }

    /// An upload that was begun and has sent some parts.
    private func sent(_ count: Int) -> MultipartUpload {
        var upload = Self.upload()
        _ = upload.judge(.given(200), original: original)
        _ = upload.judge(
            body: page("<InitiateMultipartUploadResult><UploadId>up/1</UploadId></InitiateMultipartUploadResult>"),
            of: .given(200), original: original)
        for _ in 0..<count {
            upload.take([Self.digest])
            _ = upload.judge(.given(200, ["ETag": "\"t\""]), original: original)
        }
        return upload
    }

    @Test(
        "A part is as large as wished, at least as large as 10,000 of them need, and the last one ends with the file",
        arguments: [
            (1, nil, 16, 1), (16 << 20, nil, 16, 1), (16 << 20 + 1, nil, 16, 2), (160_000 << 20, nil, 16, 10_000),
            (160_000 << 20 + 1, nil, 17, 9_412), (100 << 20, 5 << 20, 5, 20), (50_001 << 20, 5 << 20, 6, 8_334),
        ] as [(Int64, Int64?, Int64, Int)])
    func parts(length: Int64, wanted: Int64?, mebibytes: Int64, count: Int) {
        let upload = MultipartUpload(UploadContent(length: length, modified: 1), to: Self.object, partSize: wanted)
        #expect(upload.partSize == mebibytes << 20 && upload.partCount == count)
        #expect(upload.range(ofPart: 1).lowerBound == 0 && upload.range(ofPart: count).upperBound == length)
    }

    @Test("An upload is created, its parts are sent with their digests, and the store joins them")
    func whole() {
        var upload = Self.upload()
        upload.begin()
        var request = upload.request(for: original)
        #expect(request.method == "POST" && request.url == Self.object + "?uploads" && request.body == .none)
        #expect(
            request.headers == [
                "Content-Type": "image/png", "x-amz-acl": "private", "x-amz-meta-a": "b", "Cookie": "c=d",
                "x-amz-server-side-encryption-customer-key": "k", "Cache-Control": "no-cache",
                "x-amz-checksum-algorithm": "SHA256",
            ])
        #expect(upload.demand == nil && upload.remains == nil)
        upload = sent(0)
        #expect(upload.location == Self.location() && upload.step == .part(1))
        #expect(upload.demand == DigestDemand(range: 0..<Self.size, algorithms: [.sha256]))
        upload.take([Self.digest])
        #expect(upload.demand == nil)
        request = upload.request(for: original)
        #expect(request.method == "PUT" && request.url == Self.object + "?partNumber=1&uploadId=up%2F1")
        #expect(request.body == original.body && upload.piece == 0..<Self.size)
        #expect(
            request.headers == [
                "Cookie": "c=d", "x-amz-server-side-encryption-customer-key": "k",
                "x-amz-content-sha256": ByteText.hexadecimal(Self.digest),
                "x-amz-checksum-sha256": Base64.encode(Self.digest),
            ])
        upload = sent(2)
        #expect(upload.step == .part(3) && upload.piece == 2 * Self.size..<2 * Self.size + 3)
        let progress = (upload.takeProgress(), upload.takeProgress())
        #expect(progress == (true, false) && upload.base == 2 * Self.size)
        upload = sent(3)
        #expect(upload.step == .complete && upload.base == Self.content.length && upload.piece == nil)
        request = upload.request(for: original)
        #expect(request.method == "POST" && request.url == Self.object + "?uploadId=up%2F1")
        #expect(request.headers["If-None-Match"] == "*" && request.headers["Content-Type"] == "application/xml")
        #expect(request.headers["x-amz-mp-object-size"] == String(Self.content.length))
        guard case .bytes(let bytes) = request.body, let root = try? Markup.read(bytes) else {
            return #expect(Bool(false), "\(request.body)")
        }
        #expect(
            root.children.map { $0.children.map(\.text) }
                == (1...3).map {
                    [String($0), "\"t\"", Base64.encode(Self.digest)]
                })
        let end = upload.judge(.given(200), original: original)
        #expect(end == .readBody)
        let outcome = upload.judge(
            body: page("<CompleteMultipartUploadResult/>"), of: .given(200), original: original)
        #expect(outcome == .answer && upload.location == nil && upload.remains == nil)
    }

    /// What a response leads to.
    enum Then: Sendable, Equatable {
        case step(MultipartUpload.Step), answer, later, fail, again
    }

    private func judged(_ upload: inout MultipartUpload, _ head: ResponseHead) -> Then {
        let outcome = upload.judge(head, original: original)
        return then(outcome, upload)
    }

    private func judged(_ upload: inout MultipartUpload, body: [UInt8]?) -> Then {
        let outcome = upload.judge(body: body, of: .given(200), original: original)
        return then(outcome, upload)
    }

    private func then(_ outcome: UploadOutcome, _ upload: MultipartUpload) -> Then {
        switch outcome {
        case .next: .step(upload.step)
        case .answer, .readBody: .answer
        case .later: .later
        case .fail: .fail
        case .restartFromZero: upload.step == .create && upload.location == nil ? .again : .fail
        }
    }

    @Test(
        "A part counts when the store has its bytes",
        arguments: [
            (200, ["ETag": "\"t\""], .step(.part(2))), (200, [:], .fail), (503, [:], .answer), (403, [:], .answer),
            (200, ["ETag": "\"t\"", "x-amz-checksum-sha256": "other"], .later),
            (200, ["ETag": "\"t\"", "x-amz-checksum-sha256": Base64.encode(digest)], .step(.part(2))),
            (404, [:], .again), (400, [:], .answer),
        ] as [(Int, HeaderFields, Then)])
    func part(status: Int, fields: HeaderFields, expected: Then) {
        var upload = sent(0)
        upload.take([Self.digest])
        let outcome = upload.judge(.given(status, fields), original: original)
        #expect(then(outcome, upload) == expected)
    }

    @Test(
        "A success whose body is an error, or no document, is none",
        arguments: [
            ("<CompleteMultipartUploadResult><Key>k</Key></CompleteMultipartUploadResult>", .answer),
            ("<Error><Code>InternalError</Code></Error>", .later), ("<Error><Code>SlowDown</Code></Error>", .later),
            ("<Error><Code>NoSuchUpload</Code></Error>", .step(.verify)),
            ("<Error><Code>InvalidPart</Code></Error>", .step(.list(after: 0))),
            ("<Error><Code>AccessDenied</Code></Error>", .fail), ("<Error/>", .fail), ("<html/>", .later), ("", .later),
            ("<CompleteMultipartUploadResult><Key>", .later), (nil, .later),
        ] as [(String?, Then)])
    func completion(text: String?, expected: Then) {
        var upload = sent(3)
        _ = upload.judge(.given(200), original: original)
        let outcome = upload.judge(body: text.map { page($0) }, of: .given(200), original: original)
        #expect(then(outcome, upload) == expected)
    }

    @Test(
        "A refusal is judged by the code in its body",
        arguments: [
            (403, "<Error><Code>RequestTimeTooSkewed</Code></Error>", ResumeErrors.clockDiffers),
            (
                400, "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>",
                ResumeErrors.otherRegion("eu-west-1")
            ),
            (400, "<Error><Code>AuthorizationHeaderMalformed</Code><Region>a b</Region></Error>", nil),
            (400, "<Error><Code>RequestTimeout</Code></Error>", ResumeErrors.partRefused("RequestTimeout")),
            (
                400, "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>",
                ResumeErrors.partRefused("XAmzContentSHA256Mismatch")
            ),
            (403, "<Error><Code>AccessDenied</Code></Error>", nil), (403, "no document", nil),
        ] as [(Int, String, String?)])
    func refusal(status: Int, text: String, message: String?) {
        var upload = sent(0)
        upload.take([Self.digest])
        let first = upload.judge(.given(status), original: original)
        #expect(first == .readBody)
        let outcome = upload.judge(body: page(text), of: .given(status), original: original)
        switch outcome {
        case .later(let error), .fail(let error): #expect(error.message == message && error.statusCode == status)
        default: #expect(outcome == .answer && message == nil)
        }
        #expect(upload.step == .part(1))
    }

    @Test("Parts that the store calls too small, and a bucket in another region, end the upload with a sentence")
    func sizeAndRegion() {
        var upload = sent(3)
        _ = upload.judge(.given(400), original: original)
        var outcome = upload.judge(
            body: page("<Error><Code>EntityTooSmall</Code></Error>"), of: .given(400), original: original)
        guard case .fail(let small) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(small.message == ResumeErrors.partsTooSmall && upload.location != nil)
        var signed = original
        signed.options = RequestOptions()
        signed.options?.signing = RequestSigning(region: "eu-west-1", service: "s3")
        for (status, request) in [(301, original), (301, signed), (400, signed)] {
            upload = Self.upload()
            outcome = upload.judge(.given(status, ["x-amz-bucket-region": "us-west-2"]), original: request)
            guard case .fail(let region) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(region.message == ResumeErrors.otherRegion("us-west-2"))
        }
        for (status, region, request) in [
            (400, "us-west-2", original), (400, "eu-west-1", signed), (403, "us-west-2", signed),
        ] {
            upload = Self.upload()
            outcome = upload.judge(.given(status, ["x-amz-bucket-region": region]), original: request)
            #expect(outcome == .readBody)
        }
    }

    @Test("Other connections claim the parts behind the lead's, and the parts are joined in their order")
    func claims() {
        var upload = sent(0)
        let claimed = [upload.claim(), upload.claim(), upload.claim()]
        #expect(claimed == [2, 3, nil] && upload.step == .part(1))
        let rest = DigestDemand(range: 2 * Self.size..<2 * Self.size + 3, algorithms: [.sha256])
        #expect(upload.demand(ofPart: 3) == rest)
        let third = upload.take([[3]], ofClaimed: 3)
        #expect(third == [3])
        let request = upload.request(ofPart: 3, digest: third, for: original)
        #expect(request.url == Self.object + "?partNumber=3&uploadId=up%2F1")
        #expect(request.headers["x-amz-checksum-sha256"] == Base64.encode([3]))
        let refused = upload.judge(.given(503), ofClaimed: 3, digest: [3])
        let untagged = upload.judge(.given(200), ofClaimed: 3, digest: [3])
        let stored = upload.judge(.given(200, ["ETag": "\"c\""]), ofClaimed: 3, digest: [3])
        let again = upload.judge(.given(200, ["ETag": "\"d\""]), ofClaimed: 3, digest: [3])
        #expect(!refused && !untagged && stored && !again)
        #expect(upload.base == 3 && upload.step == .part(1))
        upload.take([Self.digest])
        _ = upload.judge(.given(200, ["ETag": "\"a\""]), original: original)
        #expect(upload.isWaiting && upload.piece == nil && upload.base == Self.size + 3)
        let none = upload.claim()
        #expect(none == nil)
        upload.takeOver(2, digest: [2])
        #expect(upload.step == .part(2) && upload.demand == nil && !upload.isWaiting)
        _ = upload.judge(.given(200, ["ETag": "\"b\""]), original: original)
        #expect(upload.step == .complete && upload.orderedParts.map(\.tag) == ["\"a\"", "\"b\"", "\"c\""])
    }

    @Test("A part that has failed comes after the others, and a lead that waits gets what is given back")
    func postponed() {
        var upload = sent(0)
        let second = upload.claim()
        upload.release(2, hasFailed: true)
        let (third, again) = (upload.claim(), upload.claim())
        #expect(second == 2 && third == 3 && again == 2)
        let isSetAside = upload.setAside()
        #expect(isSetAside && upload.isWaiting)
        upload.release(3, hasFailed: false)
        #expect(upload.step == .part(3))
        upload.release(2, hasFailed: true)
        let refused = upload.setAside()
        #expect(!refused && upload.step == .part(3))
        let first = upload.claim()
        #expect(first == 1)
        upload.releaseAll()
        upload.take([Self.digest])
        _ = upload.judge(.given(200, ["ETag": "\"c\""]), original: original)
        #expect(upload.step == .part(1))
    }

    @Test("What another connection was told about an upload that the store has forgotten counts for nothing")
    func late() {
        var upload = sent(0)
        let second = upload.claim()
        upload.take([Self.digest])
        _ = upload.judge(.given(404), original: original)
        let counts = upload.judge(.given(200, ["ETag": "\"b\""]), ofClaimed: 2, digest: [2])
        #expect(second == 2 && !counts && upload.parts.isEmpty && upload.step == .create)
    }

    @Test("A claimed part of an earlier run is compared, and needs no request if it is the file's")
    func claimedBefore() {
        var upload = Self.upload(begun: Self.location())
        _ = upload.judge(
            body: list([(2, "\"b\"", Self.size, Base64.encode(Self.digest))]), of: .given(200), original: original)
        let (second, sends) = (upload.claim(), upload.take([Self.digest], ofClaimed: 2))
        #expect(second == 2 && sends == nil && upload.base == Self.size && upload.step == .part(1))
    }

    @Test("An upload without a usable name fails", arguments: ["", "<UploadId/>", "<UploadId>a</UploadId><UploadId/>"])
    func creation(text: String) {
        var upload = Self.upload()
        let outcome = upload.judge(
            body: page("<InitiateMultipartUploadResult>\(text)</InitiateMultipartUploadResult>"), of: .given(200),
            original: original)
        #expect(then(outcome, upload) == .fail)
    }

    private func list(_ entries: [(Int, String, Int64, String?)], next: Int? = nil) -> [UInt8] {
        let parts = entries.map { number, tag, size, checksum in
            "<Part><PartNumber>\(number)</PartNumber><ETag>\(tag)</ETag><Size>\(size)</Size>"
                + (checksum.map { "<ChecksumSHA256>\($0)</ChecksumSHA256>" } ?? "") + "</Part>"
        }
        let end = next.map { "<IsTruncated>true</IsTruncated><NextPartNumberMarker>\($0)</NextPartNumberMarker>" } ?? ""
        return page("<ListPartsResult>\(parts.joined())\(end)</ListPartsResult>")
    }

    @Test("Parts of an earlier run are compared with the file, one page after the other, and the others are sent again")
    func earlierRun() {
        var upload = Self.upload(begun: Self.location())
        #expect(upload.step == .list(after: 0) && upload.keepsBytes)
        #expect(upload.request(for: original).url == Self.object + "?max-parts=500&uploadId=up%2F1")
        var outcome = upload.judge(
            body: list([(1, "\"a\"", Self.size, Base64.encode(Self.digest))], next: 1), of: .given(200),
            original: original)
        #expect(then(outcome, upload) == .step(.list(after: 1)))
        #expect(
            upload.request(for: original).url == Self.object + "?max-parts=500&part-number-marker=1&uploadId=up%2F1")
        let (md5, other) = ([UInt8](repeating: 2, count: 16), [UInt8](repeating: 3, count: 32))
        outcome = upload.judge(
            body: list([
                (2, "&quot;\(ByteText.hexadecimal(md5).uppercased())&quot;", Self.size, nil), (3, "\"c\"", 3, "x"),
            ]),
            of: .given(200), original: original)
        #expect(then(outcome, upload) == .step(.part(1)))
        upload.take([Self.digest])
        #expect(upload.step == .part(2) && upload.demand?.algorithms == [.sha256, .md5])
        upload.take([other, md5])
        #expect(upload.step == .part(3) && upload.demand?.algorithms == [.sha256])
        upload.take([other])
        #expect(upload.step == .part(3) && upload.demand == nil)
        #expect(upload.orderedParts.map(\.digest) == [Self.digest, other])
        #expect(upload.remains?.contains("up%2F1") == true)
    }

    @Test("A listed part with other bytes or another length is sent again")
    func otherParts() {
        for entry in [
            (1, "\"a\"", Self.size - 1, Base64.encode(Self.digest)), (1, "\"a\"", Self.size, "other"),
            (1, "\"a\"", Self.size, nil), (2, "\"a\"", Self.size, Base64.encode(Self.digest)),
        ] as [(Int, String, Int64, String?)] {
            var upload = Self.upload(begun: Self.location())
            _ = upload.judge(body: list([entry]), of: .given(200), original: original)
            upload.take([Self.digest, Self.digest])
            #expect(upload.step == .part(1) && upload.parts.isEmpty)
        }
    }

    @Test("Where no list can be had, the upload is removed and begins again")
    func noList() {
        for body in [list([], next: 0), page("<Other/>"), Array("the object".utf8)] {
            var upload = Self.upload(begun: Self.location())
            let outcome = upload.judge(body: body, of: .given(200), original: original)
            #expect(outcome == .restartFromZero(reason: ResumeErrors.storeAnswer))
            #expect(upload.step == .discard("uploadId=up%2F1") && upload.location == nil)
        }
        for status in [405, 501] {
            var upload = Self.upload(begun: Self.location())
            let outcome = upload.judge(.given(status), original: original)
            #expect(outcome == .restartFromZero(reason: ResumeReasons.noPartList))
            #expect(upload.step == .discard("uploadId=up%2F1"))
        }
        var cut = Self.upload(begun: Self.location())
        let later = judged(&cut, body: nil)
        #expect(later == .later && cut.location != nil)
    }

    @Test("A store that no longer knows the upload gets it again, a few times")
    func forgotten() {
        var upload = Self.upload(begun: Self.location())
        for _ in 0..<3 {
            let outcome = upload.judge(.given(404), original: original)
            #expect(then(outcome, upload) == .again)
            upload.advance(to: .list(after: 0))
        }
        let last = judged(&upload, .given(404))
        #expect(last == .fail)
    }

    @Test("After a lost response only the digest of these parts proves that they were joined")
    func verified() throws {
        let digests = try Digest.of([UInt8](repeating: 1, count: 96), .sha256)
        let length = String(Self.content.length)
        for (fields, expected) in [
            (["Content-Length": length, "x-amz-checksum-sha256": Base64.encode(digests) + "-3"], .answer),
            (["Content-Length": length, "x-amz-checksum-sha256": Base64.encode(digests) + "-2"], .again),
            (["Content-Length": "7", "x-amz-checksum-sha256": Base64.encode(digests) + "-3"], .again),
            (["Content-Length": length, "ETag": "\"t-3\""], .again), (["Content-Length": length], .again),
        ] as [(HeaderFields, Then)] {
            var upload = sent(3)
            let lost = judged(&upload, .given(404))
            #expect(lost == .step(.verify) && upload.request(for: original).method == "HEAD")
            let found = judged(&upload, .given(200, fields))
            #expect(found == expected, "\(fields)")
        }
        // Where the store says no digests, the tags of the parts are their MD5.
        var upload = Self.upload()
        upload.begun(at: Self.location())
        let tag = ByteText.hexadecimal([UInt8](repeating: 5, count: 16))
        for _ in 0..<3 {
            upload.take([Self.digest])
            _ = upload.judge(.given(200, ["ETag": "\"\(tag)\""]), original: original)
        }
        _ = upload.judge(.given(404), original: original)
        let joined = ByteText.hexadecimal(try Digest.of([UInt8](repeating: 5, count: 48), .md5))
        let head = ResponseHead.given(200, ["Content-Length": length, "ETag": "\"\(joined)-3\""])
        let found = judged(&upload, head)
        #expect(found == .answer)
    }

    @Test("An upload of other bytes is removed before the next one, whatever the store says to that")
    func otherFile() {
        for status in [204, 404, 403] {
            var upload = Self.upload(begun: Self.location(content: UploadContent(length: 9, modified: 9)))
            let request = upload.request(for: original)
            #expect(request.method == "DELETE" && request.url == Self.object + "?uploadId=up%2F1")
            let next = judged(&upload, .given(status))
            #expect(next == .step(.create))
        }
        let foreign = UploadLocation(style: .tus, url: Self.object + "?uploadId=1", content: Self.content)
        #expect(Self.upload(begun: foreign).step == .create)
    }

    @Test("What is given up is removed, and what cannot be removed is named")
    func givenUp() {
        var upload = Self.upload()
        let hasNothing = !upload.giveUp()
        #expect(hasNothing)
        for (status, isGone) in [(204, true), (404, true), (403, false)] {
            upload = sent(1)
            let began = upload.giveUp()
            #expect(began && upload.request(for: original).method == "DELETE")
            let end = judged(&upload, .given(status))
            #expect(end == .fail)
            #expect((upload.remains == nil) == isGone && (upload.location == nil) == isGone)
        }
    }

    @Test("Every request may be repeated, and a request without a response is")
    func cut() {
        var upload = sent(1)
        upload.take([Self.digest])
        let before = upload
        upload.moved(handedOut: 5, arrived: 3)
        upload.begin()
        #expect(upload == before && upload.mayRepeat && upload.sharesConnections && !upload.sendsContent)
    }

    @Test("The stored text comes back")
    func storedText() {
        let plan = UploadPlan(.multipart, location: Self.location())
        #expect(UploadPlan(storedText: plan.storedText) == plan)
    }
}
