import Dashboard
import Glibc
import SessionSupport

extension LinkChoice {
    /// Whether a link is chosen: by default each one with a file name on the page's server, and with `--accept` those
    /// that match, on any server.
    func takes(_ url: String, onSameServer isSame: Bool) -> Bool {
        guard let name = Self.fileName(of: url) else { return false }
        let isAccepted = accepted.isEmpty ? isSame : accepted.contains { Self.matches($0, name, url) }
        return isAccepted && !rejected.contains { Self.matches($0, name, url) }
    }

    /// The last component of a path as users read it; nil for a folder.
    private static func fileName(of url: String) -> String? {
        let last = url[URLScan(url).lastComponent]
        guard !last.isEmpty else { return nil }
        return String(decoding: ByteText.percentDecoded(last), as: UTF8.self)
    }

    private static func matches(_ pattern: String, _ name: String, _ url: String) -> Bool {
        if pattern.contains("/") { return fnmatch(pattern, url, 0) == 0 }
        guard pattern.contains(where: { "*?[".contains($0) }) else { return name.hasSuffix(pattern) }
        return fnmatch(pattern, name, 0) == 0
    }
}
