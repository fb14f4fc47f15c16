import SessionSupport

/// The name of a file by its URL: the URL without the fields that only grant access for a time.
///
/// Signed links name the same file with a new signature each time. The name finds the part of an earlier download; the
/// server still has to prove that it is the same file.
enum ResourceName {
    /// Fields that always belong to a signature, in links of Amazon, Azure and content networks.
    private static let signatureFields: Set<String> = ["expires", "signature", "sig", "se", "token"]
    private static let signaturePrefixes = ["x-amz-", "x-goog-"]
    /// Fields that belong to a signature only together with ``marks``, because their names have other meanings too.
    private static let companions: Set<String> = [
        "st", "sp", "sv", "sr", "spr", "skoid", "sktid", "skt", "ske", "sks", "skv", "policy", "key-pair-id",
        "awsaccesskeyid", "googleaccessid",
    ]
    private static let marks: Set<String> = ["sig", "signature"]

    /// Returns the name; the URL itself if it has no signature.
    static func text(_ url: String) -> String {
        guard ByteText.contains(UInt8(ascii: "?"), in: url), let mark = url.utf8.firstIndex(of: UInt8(ascii: "?"))
        else {
            return url
        }
        let start = url.index(after: mark)
        // A fragment is never sent to a server.
        let query = url[start...].prefix { $0 != "#" }
        let fields = query.split(separator: "&", omittingEmptySubsequences: false)
        let names = fields.map { field in
            String(
                decoding: ByteText.percentDecoded(field.prefix { $0 != "=" }).map(ByteText.lowercased), as: UTF8.self)
        }
        let isMarked = names.contains { marks.contains($0) }
        let kept = zip(names, fields).filter { name, _ in
            !signatureFields.contains(name) && !signaturePrefixes.contains { name.hasPrefix($0) }
                && !(isMarked && companions.contains(name))
        }
        guard kept.count < fields.count else { return url }
        let rest = kept.map { String($0.1) }.joined(separator: "&")
        return String(url[..<mark]) + (rest.isEmpty ? "" : "?" + rest)
    }
}
