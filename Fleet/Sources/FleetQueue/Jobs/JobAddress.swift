/// The parts of a job's URL that a queue must know: the host for its limits, the name for the destination, and secrets.
///
/// It reads bytes and makes no Foundation URL, because a list has millions of lines.
package struct JobAddress {
    /// The host in lower case, with the port unless it is the scheme's own.
    package let host: String
    /// The path without query and fragment, still percent-encoded.
    package let path: Substring
    /// The text after `?`, without the fragment.
    package let query: Substring

    /// Reads the URL of a job.
    package init(_ text: String) throws(JobFault) {
        guard text.utf8.count <= JobRules.longestURL else { throw JobFault(JobFaults.longURL) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw JobFault(JobFaults.spaceInURL) }
        let scheme: Substring
        let rest: Substring
        if let colon = text.utf8.firstIndex(of: 0x3A), text[colon...].hasPrefix("://") {
            scheme = text[..<colon]
            rest = text[text.utf8.index(colon, offsetBy: 3)...]
        } else {
            throw JobFault(JobFaults.noScheme)
        }
        let defaultPort: Substring
        switch scheme.lowercased() {
        case "http": defaultPort = "80"
        case "https": defaultPort = "443"
        default: throw JobFault(JobFaults.otherScheme)
        }
        let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
        host = try Self.host(rest[..<end], defaultPort: defaultPort)
        let withoutFragment = rest[end...].utf8.prefix { $0 != 0x23 }
        let mark = withoutFragment.firstIndex(of: 0x3F)
        path = Substring(withoutFragment[..<(mark ?? withoutFragment.endIndex)])
        query = mark.map { Substring(withoutFragment[withoutFragment.index(after: $0)...]) } ?? ""
    }

    private static func host(_ authority: Substring, defaultPort: Substring) throws(JobFault) -> String {
        guard !authority.utf8.contains(0x40) else { throw JobFault(JobFaults.userInfo) }
        var name = authority
        var port: Substring = ""
        // The colons of an IPv6 address are in brackets.
        let bracket = authority.utf8.lastIndex(of: 0x5D) ?? authority.startIndex
        if let colon = authority[bracket...].utf8.lastIndex(of: 0x3A) {
            name = authority[..<colon]
            port = authority[authority.utf8.index(after: colon)...]
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw JobFault(JobFaults.badHost) }
            // A URL may end with the colon.
            guard port.isEmpty || port.utf8.count <= 5 && (1...65_535).contains(Int(port) ?? 0) else {
                throw JobFault(JobFaults.badPort(String(port.prefix(10))))
            }
        }
        let isValid = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
            case 0x2D, 0x2E, 0x5F, 0x3A, 0x5B, 0x5D, 0x25: true
            default: false
            }
        }
        guard isValid, !name.isEmpty, name.utf8.count <= 255 else { throw JobFault(JobFaults.badHost) }
        let plain = name.lowercased()
        return port.isEmpty || port == defaultPort ? plain : plain + ":" + port
    }

    /// The name of the file by the path's last part, percent-decoded; nil if the path names none.
    package var fileName: String? {
        let last = path.utf8.lastIndex(of: 0x2F).map { path[path.utf8.index(after: $0)...] } ?? path
        guard !last.isEmpty else { return nil }
        return Self.percentDecoded(last)
    }

    /// The host and the decoded path as a path of folders, for lists whose names repeat; nil if the path names no file.
    package var treeName: String? {
        guard fileName != nil else { return nil }
        return host.replacing(":", with: "_") + Self.percentDecoded(path)
    }

    private static func percentDecoded(_ text: Substring) -> String {
        guard text.utf8.contains(0x25) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == 0x25, digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name of the first query parameter that looks like a secret; nil without one.
    package var secretParameter: String? {
        guard !query.isEmpty else { return nil }
        for parameter in query.split(whereSeparator: { $0 == "&" || $0 == ";" }) {
            guard let equals = parameter.utf8.firstIndex(of: 0x3D) else { continue }
            let name = parameter[..<equals]
            let hasValue = parameter.utf8.index(after: equals) != parameter.endIndex
            if hasValue, SecretNames.isSecretParameter(Self.percentDecoded(name)) { return String(name) }
        }
        return nil
    }
}
