import SessionSupport

/// The signature of a request for Amazon's services and compatible ones (AWS Signature Version 4).
///
/// A pure function of request, keys and time. It covers the method, the path, the query, the host, the type and the
/// bytes of the body, and the fields whose names begin with `x-amz-`.
struct AmazonSignature {
    let scope: RequestSigning
    let credentials: RequestCredentials
    /// Seconds since 1970.
    let time: Int64

    /// Returns the fields to add to a request, including `Authorization`.
    ///
    /// Throws `invalidRequest` for a request that cannot be signed: only the store (`s3`) accepts a body that is not
    /// read before it is sent.
    func fields(for request: TransferRequest) throws(SessionError) -> HeaderFields {
        let url = try ParsedURL(request.url)
        let target = try target(of: url)
        let stamp = Self.stamp(time)
        let vendor = ByteText.lowercased(scope.vendor)
        var added = HeaderFields()
        let dateName = "X-\(vendor.prefix(1).uppercased())\(vendor.dropFirst())-Date"
        added.append(name: dateName, value: stamp)
        let digest = try bodyDigest(of: request, service: target.service)
        if target.service == "s3" { added.append(name: "x-\(vendor)-content-sha256", value: digest) }
        let isUsualPort = url.port == (url.scheme == "https" ? 443 : 80)
        let host = request.headers["Host"] ?? (isUsualPort ? url.host : "\(url.host):\(url.port)")
        let signed = signedFields(of: request, added, vendor: vendor, host: host)
        let names = signed.map(\.name).joined(separator: ";")
        let canonical =
            [request.method, path(url.path, service: target.service), Self.query(url.query ?? "")]
            + signed.map { "\($0.name):\($0.value)" } + ["", names, digest]
        let provider = scope.provider.uppercased()
        let day = String(stamp.prefix(8))
        let closing = ByteText.lowercased(scope.provider) + "4_request"
        let span = [day, target.region, target.service, closing].joined(separator: "/")
        let text = [
            "\(provider)4-HMAC-SHA256", stamp, span,
            ByteText.hexadecimal(try Digest.of(canonical.joined(separator: "\n").utf8, .sha256)),
        ].joined(separator: "\n")
        var key = Array("\(provider)4\(credentials.password)".utf8)
        for word in [day, target.region, target.service, closing, text] { key = try Self.code(word, key: key) }
        added.append(
            name: "Authorization",
            value: "\(provider)4-HMAC-SHA256 Credential=\(credentials.user)/\(span), SignedHeaders=\(names), "
                + "Signature=\(ByteText.hexadecimal(key))")
        return added
    }

    /// Returns the region and the service: the named ones, else the host's (`service.region.amazonaws.com`).
    private func target(of url: ParsedURL) throws(SessionError) -> (region: String, service: String) {
        if let region = scope.region, let service = scope.service { return (region, service) }
        let labels = url.host.split(separator: ".").map { String($0) }
        guard let service = scope.service ?? (labels.count > 2 ? labels[0] : nil),
            let region = scope.region ?? (labels.count > 3 ? labels[1] : nil)
        else {
            var error = SessionError(.invalidRequest, RequestErrors.awsScope)
            error.advice = .nameService
            throw error
        }
        return (region, service)
    }

    private func bodyDigest(of request: TransferRequest, service: String) throws(SessionError) -> String {
        let name = "x-\(ByteText.lowercased(scope.vendor))-content-sha256"
        if let own = request.headers[name] { return own }
        switch request.body {
        case .none: return ByteText.hexadecimal(try Digest.of([], .sha256))
        case .bytes(let bytes): return ByteText.hexadecimal(try Digest.of(bytes, .sha256))
        case .file, .descriptor, .pieces:
            guard service == "s3" else {
                throw SessionError(.invalidRequest, RequestErrors.awsBodyDigest(service))
            }
            return "UNSIGNED-PAYLOAD"
        }
    }

    /// Returns the signed fields, sorted by name, with single blanks in their values.
    private func signedFields(
        of request: TransferRequest, _ added: HeaderFields, vendor: String, host: String
    ) -> [(name: String, value: String)] {
        var values: [String: String] = ["host": host]
        for field in request.headers {
            let name = ByteText.lowercased(field.name)
            guard name == "content-type" || name.hasPrefix("x-\(vendor)-") else { continue }
            let value = field.value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
            values[name] = values[name].map { $0 + "," + value } ?? value
        }
        for field in added { values[ByteText.lowercased(field.name)] = field.value }
        return values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// Returns a URL whose path is written as it is signed, which is also how it must be sent: servers sign either the
    /// received path or a decoded and re-encoded one.
    static func url(_ url: String) -> String {
        let range = URLScan(url).path
        return String(url[..<range.lowerBound]) + sentPath(url[range]) + url[range.upperBound...]
    }

    /// Returns a path whose segments are decoded and encoded once.
    private static func sentPath(_ path: Substring) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let text = encoded(ByteText.percentDecoded(segment), keeping: "")
            // The segments `.` and `..` would change the path, so they stay escaped.
            return [".", ".."].contains(text) && segment != text ? segment.uppercased() : text
        }.joined(separator: "/")
    }

    /// Returns the path as it is sent; services other than the store demand a second percent-encoding.
    private func path(_ path: String, service: String) -> String {
        let path = path.isEmpty ? "/" : Self.sentPath(path[...])
        return service == "s3" ? path : Self.encoded(path.utf8, keeping: "/")
    }

    /// Returns the sorted parameters, each with an equals sign and a uniform encoding.
    private static func query(_ query: String) -> String {
        var parameters: [(name: String, value: String)] = []
        for parameter in query.split(separator: "&") {
            let name = parameter.prefix { $0 != "=" }
            let value = parameter.dropFirst(name.count + 1)
            parameters.append(
                (
                    name: encoded(ByteText.percentDecoded(name), keeping: ""),
                    value: encoded(ByteText.percentDecoded(value), keeping: "")
                ))
        }
        parameters.sort { ($0.name, $0.value) < ($1.name, $1.value) }
        return parameters.map { $0.name + "=" + $0.value }.joined(separator: "&")
    }

    static func encoded(_ bytes: some Sequence<UInt8>, keeping kept: String) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if ByteText.isLetter(byte) || ByteText.isDigit(byte) || "-._~".utf8.contains(byte)
                || kept.utf8.contains(byte)
            {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result += ByteText.hexadecimal(CollectionOfOne(byte)).uppercased().utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the HMAC of a text (RFC 2104, with SHA-256).
    private static func code(_ text: String, key: [UInt8]) throws(SessionError) -> [UInt8] {
        var block = key.count > 64 ? try Digest.of(key, .sha256) : key
        block += [UInt8](repeating: 0, count: 64 - block.count)
        let inner = try Digest.of(block.map { $0 ^ 0x36 } + Array(text.utf8), .sha256)
        return try Digest.of(block.map { $0 ^ 0x5C } + inner, .sha256)
    }

    /// Formats a time since 1970 as `20150830T123600Z`.
    private static func stamp(_ time: Int64) -> String { UniversalTime(max(time, 0)).stamp }
}
