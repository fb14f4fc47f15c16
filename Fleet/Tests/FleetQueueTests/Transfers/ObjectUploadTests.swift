import Foundation
import SessionCore
import Testing

@testable import FleetQueue
@testable import FleetTransfers

@Suite("The way of a file into a bucket")
struct ObjectUploadTests {
    private let mark = "queue/7"
    private let digest = String(repeating: "ab", count: 32)
    private var small: ObjectFacts { ObjectFacts(length: 100, digest: digest) }
    private var large: ObjectFacts { ObjectFacts(length: 3 * ObjectUpload.usualPart - 1, digest: digest) }
    private let one = ObjectUpload.StoredPart(tag: "\"1\"", digest: "AA==")

    private func upload(_ answers: ObjectUpload.Answer..., wanted: String? = nil) -> ObjectUpload {
        var upload = ObjectUpload(mark: mark, wanted: wanted)
        for answer in answers { upload.take(answer) }
        return upload
    }

    private func found(mark: String? = nil, digest: String? = nil, length: Int64 = 100) -> ObjectUpload.Answer {
        .found(FoundObject(length: length, mark: mark, digest: digest))
    }

    @Test("A small file is placed by one request, after the queue was asked")
    func oneRequest() {
        #expect(upload().step == .look)
        #expect(upload(.found(nil)).step == .download)
        #expect(upload(.found(nil), .downloaded(small)).step == .ask)
        #expect(upload(.found(nil), .downloaded(small), .allowed).step == .put)
        let end = ObjectUpload.End.placed(small, wasThere: false)
        #expect(upload(.found(nil), .downloaded(small), .allowed, .placed).step == .end(end))
    }

    @Test("A large file goes in parts, which are joined after the queue was asked")
    func inParts() {
        var upload = upload(.found(nil), .downloaded(large))
        #expect(upload.step == .create && upload.partCount == 3)
        upload.take(.created(id: "u"))
        for number in 1...3 {
            #expect(upload.step == .part(number))
            upload.take(.stored(one))
        }
        #expect(upload.step == .ask && upload.uploadID == "u")
        #expect(upload.range(ofPart: 3) == 2 * ObjectUpload.usualPart..<large.length)
        upload.take(.allowed)
        #expect(upload.step == .join && upload.parts.count == 3)
        upload.take(.placed)
        #expect(upload.step == .end(.placed(large, wasThere: false)))
    }

    @Test("An object with the job's mark or the demanded digest is acknowledged without a download")
    func marked() {
        let facts = ObjectFacts(length: 100, digest: digest)
        #expect(upload(found(mark: mark, digest: digest)).step == .end(.placed(facts, wasThere: true)))
        #expect(upload(found(digest: digest), wanted: digest).step == .end(.placed(facts, wasThere: true)))
        #expect(upload(found(mark: mark)).step == .end(.placed(ObjectFacts(length: 100, digest: ""), wasThere: true)))
    }

    @Test("Another object is never replaced, and the same one counts as placed")
    func others() {
        let refused = ObjectUpload.Step.end(.failed(.final(JobCause(TransferFaults.otherObject))))
        #expect(upload(found(mark: "queue/8")).step == refused)
        #expect(upload(found(digest: digest), wanted: "cd").step == refused)
        // Whether a digest is this file's is known after the download.
        #expect(upload(found(digest: digest)).step == .download)
        #expect(upload(found(digest: digest), .downloaded(small)).step == .end(.placed(small, wasThere: true)))
        #expect(upload(found(digest: "cd"), .downloaded(small)).step == refused)
        // Another worker was faster.
        let late = upload(.found(nil), .downloaded(small), .allowed, .exists)
        #expect(late.step == .compare)
        for (answer, step) in [
            (found(mark: mark), ObjectUpload.Step.end(.placed(small, wasThere: true))),
            (found(digest: digest), .end(.placed(small, wasThere: true))), (found(digest: "cd"), refused),
            (found(mark: mark, length: 99), refused),
            (.found(nil), .end(.failed(.again(JobCause(TransferFaults.storeAnswer))))),
        ] {
            var upload = late
            upload.take(answer)
            #expect(upload.step == step, "\(answer)")
        }
    }

    @Test(
        "Parts are removed, whatever ends an upload",
        arguments: [
            (ObjectUpload.Answer.stop, ObjectUpload.Step.end(.stopped)),
            (.failed(.unable("x")), .end(.failed(.unable("x")))),
            (.allowed, .end(.failed(.again(JobCause(TransferFaults.storeAnswer))))),
        ])
    func removal(answer: ObjectUpload.Answer, end: ObjectUpload.Step) {
        var upload = upload(.found(nil), .downloaded(large), .created(id: "u"), answer)
        #expect(upload.step == .remove && upload.uploadID == "u")
        upload.take(.failed(.unable("the removal failed")))
        #expect(upload.step == end && upload.uploadID == nil)
    }

    @Test("A lost job's upload is removed and not joined; so is one whose object is there")
    func lost() {
        let answers: [ObjectUpload.Answer] = [
            .found(nil), .downloaded(large), .created(id: "u"), .stored(one), .stored(one), .stored(one),
        ]
        var asking = ObjectUpload(mark: mark)
        for answer in answers { asking.take(answer) }
        var stopped = asking
        stopped.take(.stop)
        #expect(stopped.step == .remove)
        stopped.take(.removed)
        #expect(stopped.step == .end(.stopped))
        stopped.take(.allowed)
        #expect(stopped.step == .end(.stopped), "nothing follows the end")
        asking.take(.allowed)
        asking.take(.exists)
        #expect(asking.step == .remove)
        asking.take(.removed)
        #expect(asking.step == .compare)
    }

    @Test("No file needs more than 10,000 parts")
    func parts() {
        let facts = ObjectFacts(length: 5 << 40, digest: digest)
        let upload = upload(.found(nil), .downloaded(facts))
        #expect(upload.partCount <= 10_000 && upload.partSize % (1 << 20) == 0)
        #expect(upload.range(ofPart: upload.partCount).upperBound == facts.length)
    }

    private func answer(_ step: ObjectUpload.Step, _ status: Int, _ body: String = "", _ fields: HeaderFields = [:])
        -> ObjectUpload.Answer
    {
        let head = ResponseHead(statusCode: status, headers: fields, url: "http://s/b/k")
        return ObjectAnswers.answer(to: step, head, body: Data(body.utf8), digest: "AA==")
    }

    @Test("What a store's responses mean")
    func answers() {
        #expect(answer(.look, 404) == .found(nil))
        let fields: HeaderFields = ["Content-Length": "5", "x-amz-meta-netdash-job": mark]
        #expect(answer(.look, 200, "", fields) == .found(FoundObject(length: 5, mark: mark)))
        #expect(answer(.look, 403) == .failed(.unplaced(JobCause(TransferFaults.storeStatus(403, code: nil)))))
        #expect(answer(.put, 405) == .failed(.unplaced(JobCause(TransferFaults.storeStatus(405, code: nil)))))
        #expect(answer(.put, 200) == .placed && answer(.put, 412) == .exists && answer(.join, 412) == .exists)
        #expect(answer(.put, 409) == .failed(.again(JobCause(TransferFaults.storeStatus(409, code: nil)))))
        #expect(answer(.put, 404) == .failed(.unable(JobCause(TransferFaults.storeStatus(404, code: nil)))))
        #expect(answer(.put, 503) == .failed(.unable(JobCause(TransferFaults.storeStatus(503, code: nil)))))
        let begun = "<InitiateMultipartUploadResult><UploadId>a b</UploadId></InitiateMultipartUploadResult>"
        #expect(answer(.create, 200, begun) == .created(id: "a b"))
        #expect(answer(.create, 200, "<x/>") == .failed(.again(JobCause(TransferFaults.storeAnswer))))
        let part = ObjectUpload.StoredPart(tag: "\"t\"", digest: "AA==")
        #expect(answer(.part(1), 200, "", ["ETag": "\"t\""]) == .stored(part))
        #expect(answer(.part(1), 200) == .failed(.again(JobCause(TransferFaults.storeAnswer))))
        let damaged: HeaderFields = ["ETag": "\"t\"", "x-amz-checksum-sha256": "BB=="]
        #expect(answer(.part(1), 200, "", damaged) == .failed(.again(JobCause(TransferFaults.storeAnswer))))
        #expect(answer(.join, 200, "<CompleteMultipartUploadResult/>") == .placed)
        #expect(answer(.join, 200, "<CompleteMultipartUploadResponse/>") == .placed)
        let late = "<Error><Code>InternalError</Code></Error>"
        #expect(
            answer(.join, 200, late)
                == .failed(.again(JobCause(TransferFaults.storeStatus(200, code: "InternalError")))))
        let hostile = "<Error><Code>\u{1B}[2J</Code></Error>"
        #expect(answer(.join, 400, hostile) == .failed(.again(JobCause(TransferFaults.storeStatus(400, code: nil)))))
        #expect(answer(.remove, 500) == .removed)
    }

    @Test("An answer about the worker's keys concerns every object, whatever its status")
    func keys() {
        for (status, code) in [
            (400, "ExpiredToken"), (400, "InvalidToken"), (400, "AuthorizationHeaderMalformed"),
            (403, "RequestTimeTooSkewed"), (403, "InvalidAccessKeyId"),
        ] {
            let cause = JobCause(TransferFaults.storeStatus(status, code: code))
            for step in [ObjectUpload.Step.put, .create, .part(1), .join] {
                #expect(answer(step, status, "<Error><Code>\(code)</Code></Error>") == .failed(.unable(cause)))
            }
        }
        #expect(answer(.remove, 400, "<Error><Code>ExpiredToken</Code></Error>") == .removed)
        // HEAD has no code.
        let cause = JobCause(TransferFaults.storeStatus(400, code: nil))
        #expect(answer(.look, 400) == .failed(.unplaced(cause)) && answer(.compare, 400) == .failed(.unplaced(cause)))
    }

    @Test("A request that is too large for the store or a proxy, or has another signature for it, concerns one object")
    func oneObject() {
        for status in [413, 414] {
            let cause = JobCause(TransferFaults.storeStatus(status, code: nil))
            #expect(answer(.put, status) == .failed(.unplaced(cause)))
            #expect(answer(.part(2), status) == .failed(.unplaced(cause)))
        }
        let cause = JobCause(TransferFaults.storeStatus(403, code: "SignatureDoesNotMatch"))
        let body = "<Error><Code>SignatureDoesNotMatch</Code></Error>"
        #expect(answer(.put, 403, body) == .failed(.unplaced(cause)))
    }

    @Test("The digest that a store knows of a whole object counts, and one of parts does not")
    func digests() {
        let checksum = Data(repeating: 0xAB, count: 32).base64EncodedString()
        for (value, expected) in [(checksum, digest), (checksum + "-3", nil), ("AA==", nil)] {
            let head = ResponseHead(statusCode: 200, headers: ["x-amz-checksum-sha256": value], url: "u")
            #expect(FoundObject(head).digest == expected)
        }
    }

    @Test("A bucket's address, keys and endpoint are read as Amazon's programs read them")
    func addresses() throws {
        let keys = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "sesame"]
        func url(_ address: String, _ more: [String: String] = [:]) throws -> String {
            try ObjectStore(address, environment: keys.merging(more) { $1 }).request("HEAD", "x/ä b").url
        }
        #expect(try url("s3://bucket") == "https://bucket.s3.us-east-1.amazonaws.com/x/%C3%A4%20b")
        let other = try url("s3://bucket/a/b/", ["AWS_REGION": "eu-1"])
        #expect(other == "https://bucket.s3.eu-1.amazonaws.com/a/b/x/%C3%A4%20b")
        #expect(try url("s3://my.bucket/a") == "https://s3.us-east-1.amazonaws.com/my.bucket/a/x/%C3%A4%20b")
        let local = ["AWS_ENDPOINT_URL": "http://h:1/", "AWS_DEFAULT_REGION": "r"]
        #expect(try url("s3://bucket/a", local) == "http://h:1/bucket/a/x/%C3%A4%20b")
        for address in ["s3://", "s3://a", "s3://A-b-c", "s3://user@host", "s3:/abc"] {
            #expect(throws: FleetError(.usage, TransferFaults.badBucket)) {
                try ObjectStore(address, environment: keys)
            }
        }
        #expect(throws: FleetError(.usage, TransferFaults.noKeys)) { try ObjectStore("s3://bucket", environment: [:]) }
        #expect(throws: FleetError(.usage, TransferFaults.badEndpoint)) {
            try ObjectStore("s3://bucket", environment: keys.merging(["AWS_ENDPOINT_URL": "h:1"]) { $1 })
        }
    }

    @Test("Each request is conditional, signed and marked where it places something")
    func requests() throws {
        let keys = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "sesame", "AWS_SESSION_TOKEN": "t"]
        let store = try ObjectStore("s3://bucket", environment: keys)
        let upload = upload(.found(nil), .downloaded(large), .created(id: "u/="))
        let join = store.request(of: .join, upload, destination: "a")
        #expect(join.method == "POST" && join.url.hasSuffix("/a?uploadId=u%2F%3D"))
        #expect(join.headers["If-None-Match"] == "*" && join.headers["x-amz-security-token"] == "t")
        let create = store.request(of: .create, upload, destination: "a")
        #expect(create.headers["x-amz-meta-netdash-job"] == mark && create.url.hasSuffix("/a?uploads="))
        let put = store.request(sending: [1], digest: [2], part: nil, upload, destination: "a")
        #expect(put.method == "PUT" && put.headers["If-None-Match"] == "*" && !put.url.contains("?"))
        #expect(put.headers["x-amz-meta-netdash-job"] == mark && put.headers["x-amz-content-sha256"] == "02")
        let part = store.request(sending: [1], digest: [2], part: 3, upload, destination: "a")
        #expect(part.url.hasSuffix("/a?partNumber=3&uploadId=u%2F%3D") && part.headers["If-None-Match"] == nil)
        #expect(store.request(of: .remove, upload, destination: "a").method == "DELETE")
        #expect(store.request(of: .look, upload, destination: "a").method == "HEAD")
        #expect(part.options?.signing != nil && store.secrets == ["sesame", "t"])
    }

    @Test(
        "A bucket without a spool or a name, and a spool without a bucket, are usage errors",
        arguments: [
            ["-d", "s3://bucket"], ["-d", "s3://", "--spool", "/tmp"], ["-d", "/tmp", "--spool", "/tmp"],
        ])
    func usage(words: [String]) throws {
        let environment = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "sesame", "PGHOST": "/nowhere"]
        let one = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), ["worker"] + words, environment: environment)
        #expect(one.wait() == 2, "\(one.output)")
    }
}
