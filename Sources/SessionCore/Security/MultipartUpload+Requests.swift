import SessionSupport

/// The requests of an upload in parts.
extension MultipartUpload {
    func request(for original: TransferRequest) -> TransferRequest {
        var request = original
        request.headers = Self.common(original.headers)
        request.body = .none
        let name = name ?? ""
        switch step {
        case .discard(let old): (request.method, request.url) = ("DELETE", address(old))
        case .create:
            (request.method, request.url) = ("POST", address("uploads"))
            request.headers = Self.creation(original.headers)
        case .list(let marker):
            let behind = marker > 0 ? "&part-number-marker=\(marker)" : ""
            (request.method, request.url) = ("GET", address("max-parts=\(Self.pageLimit)\(behind)&\(name)"))
        case .part(let number):
            return self.request(ofPart: number, digest: digest, for: original)
        case .complete:
            (request.method, request.url) = ("POST", address(name))
            request.body = .bytes(Array(list.utf8))
            request.headers["Content-Type"] = "application/xml"
            request.headers["x-amz-mp-object-size"] = String(content.length)
            for field in original.headers where ByteText.lowercased(field.name).hasPrefix("if-") {
                request.headers.append(name: field.name, value: field.value)
            }
        case .verify, .wait:
            (request.method, request.url) = ("HEAD", object)
            request.headers["x-amz-checksum-mode"] = "ENABLED"
        case .abort: (request.method, request.url) = ("DELETE", address(name))
        }
        return request
    }

    /// Returns the request that sends a part; the store refuses bytes of another digest.
    func request(ofPart number: Int, digest: [UInt8]?, for original: TransferRequest) -> TransferRequest {
        var request = original
        request.headers = Self.common(original.headers)
        (request.method, request.url) = ("PUT", address("partNumber=\(number)&\(name ?? "")"))
        if let digest {
            request.headers["x-amz-content-sha256"] = ByteText.hexadecimal(digest)
            request.headers["x-amz-checksum-sha256"] = Base64.encode(digest)
        }
        return request
    }

    /// The parts of one response; fewer than a store may send, so that the response stays small.
    static let pageLimit = 500

    private func address(_ query: String) -> String { object + "?" + query }

    /// The body of the request to join the parts.
    private var list: String {
        let entries = orderedParts.enumerated().map { index, part in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(Self.escaped(part.tag))</ETag>"
                + "<ChecksumSHA256>\(Base64.encode(part.digest))</ChecksumSHA256></Part>"
        }
        let (name, space) = ("CompleteMultipartUpload", "http://s3.amazonaws.com/doc/2006-03-01/")
        return "<\(name) xmlns=\"\(space)\">\(entries.joined())</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    // MARK: - Fields

    /// The prefixes of the store's fields that every request of an upload needs: the caller's encryption
    /// key, token and account.
    private static let everywhere = [
        "x-amz-server-side-encryption-customer-", "x-amz-request-payer", "x-amz-expected-bucket-owner",
        "x-amz-security-token",
    ]

    /// Returns the fields that neither describe the object nor make the request conditional.
    private static func common(_ fields: HeaderFields) -> HeaderFields {
        var kept = HeaderFields()
        for field in fields {
            let name = ByteText.lowercased(field.name)
            let isOfObject =
                name.hasPrefix("content-") || name.hasPrefix("x-amz-") && !everywhere.contains { name.hasPrefix($0) }
            guard !isOfObject, !isOfBody(name), name != "cache-control", name != "expires" else { continue }
            kept.append(name: field.name, value: field.value)
        }
        return kept
    }

    /// Returns the fields that describe the object, and the ones of every request.
    private static func creation(_ fields: HeaderFields) -> HeaderFields {
        var kept = HeaderFields()
        for field in fields {
            let name = ByteText.lowercased(field.name)
            guard !isOfBody(name), name != "content-length", name != "content-md5", name != "content-digest",
                name != "x-amz-content-sha256", !name.hasPrefix("x-amz-checksum-")
            else { continue }
            kept.append(name: field.name, value: field.value)
        }
        kept["x-amz-checksum-algorithm"] = "SHA256"
        return kept
    }

    /// Returns whether a field is about the caller's one request, which is never sent.
    private static func isOfBody(_ name: String) -> Bool {
        name.hasPrefix("if-")
            || ["range", "digest", "repr-digest", "expect", "x-amz-sdk-checksum-algorithm"].contains(name)
    }
}
