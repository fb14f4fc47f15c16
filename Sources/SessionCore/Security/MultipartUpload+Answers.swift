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
            // A failed removal of the old upload does not stop the new one.
            advance(to: .create)
            return .next
        case .discard, .create, .list, .part, .complete, .verify, .wait: break
        }
        if RetryPolicy.isTransient(status: status, of: original) { return .answer }
        if let error = regionError(head, original) { return .fail(error) }
        // A refusal says in its body why.
        let outcome: UploadOutcome = status == 400 || status == 403 ? .readBody : .answer
        let isSuccess = (200..<300).contains(status)
        switch step {
        case .create: return isSuccess ? .readBody : outcome
        case .discard, .abort, .wait: return .answer
        case .list:
            if status == 404 { return beginAgain(ResumeReasons.uploadForgotten(ResumePolicy.phrase(head)), head) }
            // A store that cannot list parts does not say which ones it has, so the upload restarts.
            if status == 405 || status == 501 { return removeAndBegin(ResumeReasons.noPartList, head) }
            return isSuccess ? .readBody : outcome
        case .part(let number):
            if status == 404 { return beginAgain(ResumeReasons.uploadForgotten(ResumePolicy.phrase(head)), head) }
            return isSuccess ? judgePart(number, head) : outcome
        case .complete:
            guard status == 404 else { return isSuccess ? .readBody : outcome }
            // An earlier request whose response was lost may have joined the parts.
            advance(to: .verify)
            return .next
        case .verify: return judgeObject(head)
        }
    }

    private mutating func judgePart(_ number: Int, _ head: ResponseHead) -> UploadOutcome {
        switch part(number, digest: digest, from: head) {
        case .success(let part):
            stored(part, as: number)
            return .next
        case .failure(let error): return error.code == .truncated ? .later(error) : .fail(error)
        }
    }

    /// Takes the response to a claimed part; false if the store does not have it.
    mutating func judge(_ head: ResponseHead, ofClaimed number: Int, digest: [UInt8]) -> Bool {
        guard claimed.contains(number), (200..<300).contains(head.statusCode),
            case .success(let part) = part(number, digest: digest, from: head)
        else { return false }
        stored(part, as: number)
        return true
    }

    /// Returns the part that a response confirms; an error with the code `truncated` is worth another try.
    private func part(_ number: Int, digest: [UInt8]?, from head: ResponseHead) -> Result<Part, SessionError> {
        guard let digest, let tag = head.headers.singleValue(named: "ETag"), !tag.isEmpty else {
            return .failure(error(ResumeErrors.noPartTag(number), head))
        }
        if let checksum = head.headers["x-amz-checksum-sha256"], checksum != Base64.encode(digest) {
            return .failure(error(ResumeErrors.otherPart(number), head, .truncated))
        }
        return .success(Part(tag: tag, digest: digest))
    }

    /// The error of a response that names another region than the request was signed for; nil for any other.
    ///
    /// A refusal for another reason names the bucket's region too, so a 400 counts only if the region differs.
    private func regionError(_ head: ResponseHead, _ original: TransferRequest) -> SessionError? {
        guard [301, 307, 400].contains(head.statusCode),
            let region = head.headers.singleValue(named: "x-amz-bucket-region"), Self.isWord(region)
        else { return nil }
        if head.statusCode == 400 {
            guard let signed = original.options?.signing?.region, signed != region else { return nil }
        }
        return error(ResumeErrors.otherRegion(region), head, .http)
    }

    /// Accepts the object only if the store names a digest of these parts: another client may have written it.
    private mutating func judgeObject(_ head: ResponseHead) -> UploadOutcome {
        let length = head.headers.singleValue(named: "Content-Length").flatMap { ByteText.decimal($0) }
        let isWhole = length == content.length
        if head.statusCode == 200, isWhole, hasDigest(head) {
            joined()
            return .answer
        }
        return beginAgain(ResumeReasons.uploadForgotten(ResumePolicy.phrase(head)), head)
    }

    /// Returns whether the object's digest fits the parts: the digest of their digests, and their number.
    private func hasDigest(_ head: ResponseHead) -> Bool {
        let parts = orderedParts
        // Some stores name the digest of the whole object, which is unknown here; then the tag decides.
        if let checksum = head.headers["x-amz-checksum-sha256"], checksum.contains("-"),
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
        if head.statusCode >= 300 { return judgeRefusal(root, head, original) }
        // A store that does not list parts may answer with the object.
        if case .list(let marker) = step { return judgeList(root, after: marker, head) }
        guard let root else { return .later(error(ResumeErrors.storeAnswer, head, .truncated)) }
        switch step {
        case .create: return judgeCreation(root, head)
        case .complete: return judgeCompletion(root, head)
        case .discard, .list, .part, .verify, .abort, .wait: return .answer
        }
    }

    /// Decides about a refusal by the code in its body; with an unknown code it is the task's response.
    private mutating func judgeRefusal(
        _ root: Markup?, _ head: ResponseHead, _ original: TransferRequest
    ) -> UploadOutcome {
        guard let root, root.name == "Error", let code = root["Code"] else {
            return step == .complete ? .fail(error(ResumeErrors.storeRefused(""), head, .http)) : .answer
        }
        switch code {
        case "RequestTimeTooSkewed": return .fail(error(ResumeErrors.clockDiffers, head, .http))
        case "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
            guard let region = root["Region"], Self.isWord(region), region != original.options?.signing?.region else {
                return .answer
            }
            return .fail(error(ResumeErrors.otherRegion(region), head, .http))
        case "BadDigest", "XAmzContentSHA256Mismatch", "RequestTimeout", "IncompleteBody":
            // The file has changed, which the next request notices, or the connection was paused for too long.
            return later(ResumeErrors.partRefused(code), head)
        default: return step == .complete ? judgeCompletion(root, head) : .answer
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
        guard let root, ["ListPartsResult", "ListPartsResponse"].contains(root.name) else {
            return removeAndBegin(ResumeErrors.storeAnswer, head)
        }
        for entry in root.all("Part") {
            guard let number = entry["PartNumber"].flatMap({ Int($0) }), (1...partCount).contains(number),
                let tag = entry["ETag"], let size = entry["Size"].flatMap({ ByteText.decimal($0) })
            else { continue }
            listed[number] = ListedPart(tag: tag, size: size, checksum: entry["ChecksumSHA256"])
        }
        guard root["IsTruncated"] == "true" else {
            turnToNext()
            return .next
        }
        guard let next = root["NextPartNumberMarker"].flatMap({ Int($0) }), next > marker else {
            return removeAndBegin(ResumeErrors.storeAnswer, head)
        }
        if next >= partCount { turnToNext() } else { advance(to: .list(after: next)) }
        return .next
    }

    /// Decides by the body, because a store that needs long to join the parts begins a 200 before it knows the result.
    private mutating func judgeCompletion(_ root: Markup, _ head: ResponseHead) -> UploadOutcome {
        if root.name == "CompleteMultipartUploadResult" {
            joined()
            return .answer
        }
        guard root.name == "Error" else { return later(ResumeErrors.storeAnswer, head) }
        let code = root["Code"] ?? ""
        switch code {
        case "NoSuchUpload":
            advance(to: .verify)
            return .next
        case "InvalidPart", "InvalidPartOrder":
            guard mayGoRound() else { return .fail(error(ResumeErrors.storeRefused(code), head)) }
            listAgain()
            return .next
        case "EntityTooSmall": return .fail(error(ResumeErrors.partsTooSmall, head, .http))
        case "InternalError", "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted":
            return later(ResumeErrors.storeRefused(code), head)
        default:
            return .fail(error(ResumeErrors.storeRefused(Self.isWord(code) ? code : ""), head, .http))
        }
    }

    /// Whether a code or a region that the store names is safe to show.
    private static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { ByteText.isLetter($0) || ByteText.isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private mutating func beginAgain(_ reason: String, _ head: ResponseHead) -> UploadOutcome {
        guard mayGoRound() else { return .fail(error(reason, head, .http)) }
        forget()
        return .restartFromZero(reason: reason)
    }

    /// Removes the upload, because its stored parts are unknown, and begins another one.
    private mutating func removeAndBegin(_ reason: String, _ head: ResponseHead) -> UploadOutcome {
        guard let name, mayGoRound() else { return .fail(error(reason, head)) }
        forget()
        advance(to: .discard(name))
        return .restartFromZero(reason: reason)
    }

    /// Retries whatever status the store has begun its response with.
    private func later(_ message: String, _ head: ResponseHead) -> UploadOutcome {
        let isTransient = RetryPolicy.isTransient(status: head.statusCode)
        return .later(error(message, head, isTransient ? .http : .truncated))
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
