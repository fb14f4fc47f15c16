internal import FleetQueue
internal import Foundation
internal import SessionCore
internal import TransferValues

/// What a store's response means for a step: a pure function of it.
enum ObjectAnswers {
    /// The names of an object's own fields.
    static let markField = "x-amz-meta-netdash-job"
    static let digestField = "x-amz-meta-netdash-sha256"

    /// The answer of a response; `digest` is the SHA-256 of the sent part in Base64.
    static func answer(
        to step: ObjectUpload.Step, _ head: ResponseHead, body: Data, digest: String?
    ) -> ObjectUpload.Answer {
        guard head.statusCode >= 400 else { return success(of: step, head, body: body, digest: digest) }
        let code = code(of: body)
        let cause = JobCause(TransferFaults.storeStatus(head.statusCode, code: code))
        switch (step, head.statusCode) {
        case (.remove, _): return .removed
        // It has any status, such as 400 for a token whose time is over.
        case _ where code.map(accountCodes.contains) ?? false: return .failed(.unable(cause))
        case (.look, 404), (.compare, 404): return .found(nil)
        case (.put, 412), (.join, 412): return .exists
        // Another request for the object was under way.
        case (.put, 409), (.join, 409): return .failed(.again(cause))
        // The upload was removed by the store's own rule, or by its owner.
        case (.part, 404), (.join, 404): return .failed(.again(cause))
        // The answer to HEAD has no body, and so no code: it may concern the worker's keys, or the object's name.
        case (.look, 400), (.compare, 400): return .failed(.unplaced(cause))
        case (_, 400): return .failed(.again(cause))
        // A policy of the bucket may concern one object, as does a proxy's limit of a request's size.
        case (_, 403), (_, 405), (_, 413), (_, 414): return .failed(.unplaced(cause))
        default: return .failed(.unable(cause))
        }
    }

    private static func success(
        of step: ObjectUpload.Step, _ head: ResponseHead, body: Data, digest: String?
    ) -> ObjectUpload.Answer {
        switch (step, head.statusCode) {
        case (.remove, _): .removed
        case (.look, 200..<300), (.compare, 200..<300): .found(FoundObject(head))
        case (.put, 200..<300): .placed
        case (.create, 200..<300):
            uploadID(in: body).map { .created(id: $0) } ?? .failed(.again(JobCause(TransferFaults.storeAnswer)))
        case (.part, 200..<300): part(head, digest: digest)
        case (.join, 200..<300): joined(body)
        default: .failed(.unable(JobCause(TransferFaults.storeStatus(head.statusCode, code: code(of: body)))))
        }
    }

    /// The codes that concern the worker's keys, region or clock, or the bucket's owner, and so every object.
    ///
    /// A wrong signature is none of them: wrong keys are refused without a code, in the answer to HEAD, so that a later
    /// one concerns a request that this store or a proxy reads in another way.
    private static let accountCodes: Set<String> = [
        "AccountProblem", "AllAccessDisabled", "AuthorizationHeaderMalformed", "ExpiredToken", "InvalidAccessKeyId",
        "InvalidToken", "NotSignedUp", "RequestTimeTooSkewed",
    ]

    private static func part(_ head: ResponseHead, digest: String?) -> ObjectUpload.Answer {
        guard let tag = head.headers["ETag"], !tag.isEmpty, let digest,
            head.headers["x-amz-checksum-sha256"].map({ $0 == digest }) ?? true
        else { return .failed(.again(JobCause(TransferFaults.storeAnswer))) }
        return .stored(ObjectUpload.StoredPart(tag: tag, digest: digest))
    }

    /// Decides by the body, because a store that needs long to join the parts begins a 200 before it knows the result.
    private static func joined(_ body: Data) -> ObjectUpload.Answer {
        let root = try? Markup.read([UInt8](body))
        if let name = root?.name, joinedNames.contains(name) { return .placed }
        let code = code(of: body)
        return code == "PreconditionFailed"
            ? .exists : .failed(.again(JobCause(TransferFaults.storeStatus(200, code: code))))
    }

    /// The second one is what moto 5.2 says.
    private static let joinedNames = ["CompleteMultipartUploadResult", "CompleteMultipartUploadResponse"]

    private static func uploadID(in body: Data) -> String? {
        guard let root = try? Markup.read([UInt8](body)), root.name == "InitiateMultipartUploadResult" else {
            return nil
        }
        let id = root.all("UploadId").first?.text.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return (1...1024).contains(id.utf8.count) ? id : nil
    }

    /// The code of an error's body; nil for any other text, which is not shown.
    private static func code(of body: Data) -> String? {
        guard !body.isEmpty, let root = try? Markup.read([UInt8](body)), root.name == "Error",
            let code = root.all("Code").first?.text, (1...64).contains(code.utf8.count),
            code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return nil }
        return code
    }
}

extension FoundObject {
    /// Reads what a store says about an object.
    init(_ head: ResponseHead) {
        length = head.headers["Content-Length"].flatMap { Int64($0) } ?? -1
        mark = head.headers[ObjectAnswers.markField]
        digest = head.headers[ObjectAnswers.digestField] ?? head.headers["x-amz-checksum-sha256"].flatMap(Self.plain)
    }

    /// The digest of a whole object; a digest of the parts' digests has their number behind it.
    private static func plain(_ checksum: String) -> String? {
        guard let bytes = Data(base64Encoded: checksum), bytes.count == 32 else { return nil }
        return SpoolFile.hexadecimal([UInt8](bytes))
    }
}

/// The requests of the steps.
extension ObjectStore {
    /// The request of a step that has no bytes of the file.
    func request(of step: ObjectUpload.Step, _ upload: ObjectUpload, destination: String) -> TransferRequest {
        let query = upload.uploadID.map { "uploadId=" + Self.encoded($0) } ?? ""
        switch step {
        case .create:
            let fields = fields(of: upload) + [("x-amz-checksum-algorithm", "SHA256")]
            return request("POST", destination, query: "uploads=", headers: fields)
        case .join:
            let fields = [("Content-Type", "application/xml"), ("If-None-Match", "*")]
            return request(
                "POST", destination, query: query, headers: fields, body: .bytes(Array(Self.list(upload.parts).utf8)))
        case .remove: return request("DELETE", destination, query: query)
        default: return request("HEAD", destination, headers: [("x-amz-checksum-mode", "ENABLED")])
        }
    }

    /// The request that sends a part, or the whole file where it has none.
    func request(
        sending bytes: [UInt8], digest: [UInt8], part number: Int?, _ upload: ObjectUpload, destination: String
    ) -> TransferRequest {
        var headers = [
            ("x-amz-content-sha256", SpoolFile.hexadecimal(digest)),
            ("x-amz-checksum-sha256", Data(digest).base64EncodedString()),
        ]
        var query = ""
        if let number {
            query = "partNumber=\(number)&uploadId=" + Self.encoded(upload.uploadID ?? "")
        } else {
            headers += fields(of: upload) + [("If-None-Match", "*")]
        }
        return request("PUT", destination, query: query, headers: headers, body: .bytes(bytes))
    }

    /// The fields that are stored beside an object.
    private func fields(of upload: ObjectUpload) -> [(String, String)] {
        [
            ("Content-Type", upload.facts?.type ?? "application/octet-stream"),
            (ObjectAnswers.markField, upload.mark), (ObjectAnswers.digestField, upload.facts?.digest ?? ""),
        ]
    }

    private static func list(_ parts: [ObjectUpload.StoredPart]) -> String {
        let entries = parts.enumerated().map { index, part in
            let tag = part.tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                .replacing("\"", with: "&quot;")
            return "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag>"
                + "<ChecksumSHA256>\(part.digest)</ChecksumSHA256></Part>"
        }
        let (name, space) = ("CompleteMultipartUpload", "http://s3.amazonaws.com/doc/2006-03-01/")
        return "<\(name) xmlns=\"\(space)\">\(entries.joined())</\(name)>"
    }
}
