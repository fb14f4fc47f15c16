import SessionSupport

extension TransferRequest {
    /// The request as a curl command for a bug report or a terminal, with secret values masked and a body with secrets
    /// left out.
    ///
    /// It does not contain the session's additions. Binary bodies are replaced by their length.
    public var cURLDescription: String {
        var words = ["curl", "-v"]
        if method != "GET" { words += method == "HEAD" ? ["-I"] : ["-X", Self.quoted(method)] }
        for field in headers {
            words += ["-H", Self.quoted("\(field.name): \(Redaction.header(name: field.name, value: field.value))")]
        }
        words += bodyWords
        if Self.readsPattern(in: url) { words.append("-g") }
        words.append(Self.quoted(Redaction.url(url)))
        return words.joined(separator: " ")
    }

    /// Whether curl takes a URL for a pattern or refuses it, unless it has `-g`; an IPv6 host alone is none.
    package static func readsPattern(in url: String) -> Bool {
        let host = URLScan(url).host ?? url.startIndex..<url.startIndex
        let inHost = url[host].utf8.dropFirst().dropLast()
        let isAddress = url[host].hasPrefix("[") && url[host].hasSuffix("]") && inHost.contains(UInt8(ascii: ":"))
        let parts = [url[..<host.lowerBound], isAddress ? "" : url[host], url[host.upperBound...]]
        return parts.contains { part in part.utf8.contains { "[]{}".utf8.contains($0) } }
    }

    private var bodyWords: [String] {
        switch body {
        case .none: []
        case .bytes(let bytes) where bytes.isEmpty: ["--data-binary", "''"]
        case .bytes(let bytes): ["--data-binary", Self.quoted(Self.shown(bytes))]
        case .file(let path): ["--data-binary", Self.quoted("@" + path)]
        case .descriptor, .pieces: ["--data-binary", "@-"]
        }
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
            return RequestLabels.binary(bytes.count)
        }
        return Redaction.hidesMember(of: bytes) ? RequestLabels.secret(bytes.count) : text
    }

    /// Quotes a word for a shell, so that nothing in it is executed, and no control character reaches a terminal.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        if isPlain {
            return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        }
        var text = ""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "'", "\\": text += "\\" + String(scalar)
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                for byte in String(scalar).utf8 { text += "\\x" + ByteText.hexadecimal([byte]) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "$'" + text + "'"
    }
}
