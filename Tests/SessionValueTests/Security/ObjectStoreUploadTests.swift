import SessionSupport
import Testing

@testable import SessionCore

/// The requests of an upload in parts, and what an object store's responses lead to.
@Suite("Uploads in parts")
struct ObjectStoreUploadTests {
    static let size: Int64 = 5 << 20
    static let object = "http://store/bucket/key"
    static let digest = [UInt8](repeating: 1, count: 32)
    static let content = UploadContent(length: 2 * size + 3, modified: 1)
    let original: TransferRequest = {
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

    static func upload(begun: UploadLocation? = nil) -> MultipartUpload {
        MultipartUpload(content, to: object, partSize: size, begun: begun)
    }

    static func location(_ id: String = "up%2F1", content: UploadContent = content) -> UploadLocation {
        UploadLocation(style: .multipart, url: object + "?uploadId=" + id, content: content)
    }

    func page(_ text: String) -> [UInt8] { Array("<?xml version=\"1.0\"?>\n \(text)".utf8) }

    /// An upload that was begun and has sent some parts.
    func sent(_ count: Int) -> MultipartUpload {
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

    func judged(_ upload: inout MultipartUpload, _ head: ResponseHead) -> Then {
        let outcome = upload.judge(head, original: original)
        return then(outcome, upload)
    }

    func judged(_ upload: inout MultipartUpload, body: [UInt8]?) -> Then {
        let outcome = upload.judge(body: body, of: .given(200), original: original)
        return then(outcome, upload)
    }

    func then(_ outcome: UploadOutcome, _ upload: MultipartUpload) -> Then {
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
}
