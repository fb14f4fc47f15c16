import Foundation

extension Error {
    /// One sentence about an error of Foundation or of the caller's code, without Foundation's dump of its parts.
    package var sentence: String {
        if let error = self as? SessionError { return error.message }
        if let error = self as? DecodingError { return error.words }
        if let error = self as? EncodingError { return error.words }
        if let words = (self as? any LocalizedError)?.errorDescription { return words }
        guard Self.self is any CustomNSError.Type || type(of: self) is NSError.Type else { return "\(self)" }
        let system = self as NSError
        return system.userInfo["NSDebugDescription"] as? String ?? system.localizedDescription
    }
}

/// A body that is still in the content coding it was sent in, which no serializer can read.
enum UndecodedBody {
    /// Returns why a body cannot be read: its content coding if that was not decoded, else the parser's reason.
    static func reason(_ head: ResponseHead?, _ data: Data, otherwise reason: String) -> String {
        guard let field = head?.headers["Content-Encoding"], isEncoded(data, field.lowercased()) else { return reason }
        return BodyReasons.undecoded(field)
    }

    /// Whether bytes still look encoded; a decoded body keeps the field.
    private static func isEncoded(_ data: Data, _ codings: String) -> Bool {
        let start = [UInt8](data.prefix(4))
        guard start.count >= 2, codings != "identity" else { return false }
        if codings.contains("gzip") { return start[0] == 0x1F && start[1] == 0x8B }
        if codings.contains("zstd") { return start == [0x28, 0xB5, 0x2F, 0xFD] }
        // Neither brotli nor a raw deflate stream has a mark.
        return String(data: data, encoding: .utf8) == nil
    }
}
