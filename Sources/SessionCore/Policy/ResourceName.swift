import SessionSupport

/// The name of a file among URLs: a URL without what only says who may have the file, and until when.
///
/// Signed links name the same file with another signature each time they are made. What is left of an earlier download is
/// found by this name; whether it is of the same file the server still has to prove.
enum ResourceName {
    /// Fields that are part of a signature wherever they stand: those of Amazon, of Azure and of content networks.
    private static let signatureFields: Set<String> = ["expires", "signature", "sig", "se", "token"]
    private static let signaturePrefixes = ["x-amz-", "x-goog-"]
    /// Fields that belong to a signature only beside ``marks``, because their names mean other things too.
    private static let companions: Set<String> = [
        "st", "sp", "sv", "sr", "spr", "skoid", "sktid", "skt", "ske", "sks", "skv", "policy", "key-pair-id",
        "awsaccesskeyid", "googleaccessid",
    ]
    private static let marks: Set<String> = ["sig", "signature"]

    /// The name; the URL itself where nothing of it is a signature.
    static func text(_ url: String) -> String {
        guard ByteText.contains(UInt8(ascii: "?"), in: url), let mark = url.utf8.firstIndex(of: UInt8(ascii: "?"))
        else {
            return url
        }
        let start = url.index(after: mark)
        // No server sees what is behind the number sign.
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
