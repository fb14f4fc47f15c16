import SessionSupport

/// The next steps that an object store's responses lead to.
extension MultipartUpload {
    mutating func judge(_ head: ResponseHead, original: TransferRequest) -> UploadOutcome {
        let status = head.statusCode
        switch step {
        case .abort:
            if (200..<300).contains(status) || status == 404 { removed() }
            return .fail(SessionError(.cancelled, TaskErrors.cancelled))
        case .discard where !RetryPolicy.isTransient(status: status, of: original):
            // An upload that cannot be removed does not keep another one from its end.
            advance(to: .create)
            return .next
        case .discard, .create, .list, .part, .complete, .verify: break
        }
        if RetryPolicy.isTransient(status: status, of: original) { return .answer }
        let isSuccess = (200..<300).contains(status)
        switch step {
        case .create, .discard, .abort: return isSuccess ? .readBody : .answer
        case .list:
            if status == 404 { return beginAgain(ResumeReasons.uploadForgotten(ResumePolicy.phrase(head)), head) }
            return isSuccess ? .readBody : .answer
        case .part(let number):
            if status == 404 { return beginAgain(ResumeReasons.uploadForgotten(ResumePolicy.phrase(head)), head) }
            return isSuccess ? judgePart(number, head) : .answer
        case .complete:
            // A refusal says in its body which part is wrong.
            guard status == 404 else { return isSuccess || status == 400 ? .readBody : .answer }
            // An earlier request whose response was lost may have joined the parts.
            advance(to: .verify)
            return .next
        case .verify: return judgeObject(head)
        }
    }

    private mutating func judgePart(_ number: Int, _ head: ResponseHead) -> UploadOutcome {
        guard let digest else { return .fail(error(ResumeErrors.noPartTag(number), head)) }
        if let checksum = head.headers["x-amz-checksum-sha256"], checksum != Base64.encode(digest) {
            return .later(error(ResumeErrors.otherPart(number), head))
        }
        guard let tag = head.headers.singleValue(named: "ETag"), !tag.isEmpty else {
            return .fail(error(ResumeErrors.noPartTag(number), head))
        }
        stored(Part(tag: tag, digest: digest))
        return .next
    }

    /// Believes that the object is this file only if the store names a digest of these parts.
    private mutating func judgeObject(_ head: ResponseHead) -> UploadOutcome {
        let length = head.headers.singleValue(named: "Content-Length").flatMap { ByteText.decimal($0) }
        let isWhole = length == content.length
        if head.statusCode == 200, isWhole, hasDigest(head) {
            joined()
            return .answer
        }
        return beginAgain(ResumeReasons.uploadForgotten(ResumePolicy.phrase(head)), head)
    }

    /// Returns whether the object's digest is that of the parts: the digest of their digests, and their number.
    private func hasDigest(_ head: ResponseHead) -> Bool {
        if let checksum = head.headers["x-amz-checksum-sha256"],
            let expected = try? Digest.of(parts.flatMap(\.digest), .sha256)
        {
            return checksum == "\(Base64.encode(expected))-\(parts.count)"
        }
        let tags = parts.compactMap { Self.bytes(ofTag: $0.tag) }
        guard let tag = head.headers["ETag"], tags.count == parts.count, tags.allSatisfy({ $0.count == 16 }),
            let expected = try? Digest.of(tags.flatMap(\.self), .md5)
        else { return false }
        return Self.plain(tag) == "\(ByteText.hexadecimal(expected))-\(parts.count)"
    }

    /// Returns the bytes that a tag of hexadecimal digits stands for; nil for any other.
    private static func bytes(ofTag tag: String) -> [UInt8]? {
        let digits = Array(plain(tag).utf8).map { ByteText.hexadecimalValue($0) }
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    // MARK: - Bodies

    mutating func judge(body: [UInt8]?, of head: ResponseHead, original: TransferRequest) -> UploadOutcome {
        guard let body else { return .later(error(ResumeErrors.storeAnswer, head, .truncated)) }
        let root = try? Markup.read(body)
        // A store that does not list parts may answer with the object.
        if case .list(let marker) = step { return judgeList(root, after: marker, head) }
        guard let root else { return .later(error(ResumeErrors.storeAnswer, head, .truncated)) }
        switch step {
        case .create: return judgeCreation(root, head)
        case .complete: return judgeCompletion(root, head)
        case .discard, .list, .part, .verify, .abort: return .answer
        }
    }

    private mutating func judgeCreation(_ root: Markup, _ head: ResponseHead) -> UploadOutcome {
        let name = root["UploadId"] ?? ""
        guard root.name == "InitiateMultipartUploadResult", !name.isEmpty, name.utf8.count <= 1_024 else {
            return .fail(error(ResumeErrors.storeAnswer, head))
        }
        let query = "uploadId=" + AmazonSignature.encoded(name.utf8, keeping: "")
        begun(at: UploadLocation(style: .multipart, url: object + "?" + query, content: content))
        return .next
    }

    private mutating func judgeList(_ root: Markup?, after marker: Int, _ head: ResponseHead) -> UploadOutcome {
        guard let root, root.name == "ListPartsResult" else { return removeAndBegin(ResumeErrors.storeAnswer, head) }
        for entry in root.all("Part") {
            guard let number = entry["PartNumber"].flatMap({ Int($0) }), (1...partCount).contains(number),
                let tag = entry["ETag"], let size = entry["Size"].flatMap({ ByteText.decimal($0) })
            else { continue }
            listed[number] = ListedPart(tag: tag, size: size, checksum: entry["ChecksumSHA256"])
        }
        guard root["IsTruncated"] == "true" else {
            advance(to: .part(1))
            return .next
        }
        guard let next = root["NextPartNumberMarker"].flatMap({ Int($0) }), next > marker else {
            return removeAndBegin(ResumeErrors.storeAnswer, head)
        }
        advance(to: next >= partCount ? .part(1) : .list(after: next))
        return .next
    }

    /// A store that needs long to join the parts begins a 200 before it knows whether that succeeds.
    private mutating func judgeCompletion(_ root: Markup, _ head: ResponseHead) -> UploadOutcome {
        if root.name == "CompleteMultipartUploadResult" {
            joined()
            return .answer
        }
        guard root.name == "Error" else { return .later(error(ResumeErrors.storeAnswer, head)) }
        let code = root["Code"] ?? ""
        switch code {
        case "NoSuchUpload":
            advance(to: .verify)
            return .next
        case "InvalidPart", "InvalidPartOrder":
            guard mayGoRound() else { return .fail(error(ResumeErrors.storeRefused(code), head)) }
            listAgain()
            return .next
        case "InternalError", "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted":
            return .later(error(ResumeErrors.storeRefused(code), head, .http))
        default:
            let isWord = code.utf8.count <= 64 && code.utf8.allSatisfy { ByteText.isLetter($0) || ByteText.isDigit($0) }
            return .fail(error(ResumeErrors.storeRefused(isWord ? code : ""), head, .http))
        }
    }

    private mutating func beginAgain(_ reason: String, _ head: ResponseHead) -> UploadOutcome {
        guard mayGoRound() else { return .fail(error(reason, head, .http)) }
        forget()
        return .restartFromZero(reason: reason)
    }

    /// Begins again after the upload, whose parts nothing tells, was removed.
    private mutating func removeAndBegin(_ reason: String, _ head: ResponseHead) -> UploadOutcome {
        guard let name, mayGoRound() else { return .fail(error(reason, head)) }
        forget()
        advance(to: .discard(name))
        return .restartFromZero(reason: reason)
    }

    private func error(
        _ message: String, _ head: ResponseHead, _ code: SessionError.Code = .badResponse
    ) -> SessionError {
        ResumePolicy.error(code, message, head)
    }
}

extension Markup {
    /// Returns the text of its only child of a name.
    fileprivate subscript(name: String) -> String? {
        let found = all(name)
        return found.count == 1 ? ByteText.trimmed(found[0].text) : nil
    }
}
