import SessionSupport
import Testing

@testable import SessionCore

/// What a store has of an upload: its list of parts, and its end.
extension ObjectStoreUploadTests {
    func list(_ entries: [(Int, String, Int64, String?)], next: Int? = nil) -> [UInt8] {
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
