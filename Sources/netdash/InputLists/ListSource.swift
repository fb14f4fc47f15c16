import Dashboard
import SessionSupport

/// Who has written a list, and so what may stand in it.
enum ListSource: Sendable, Equatable {
    /// The user: every key counts.
    case user
    /// A server, or whoever answers in its stead: it says where files are and what they have to be. Every other key could read
    /// files and secrets of this user, send them anywhere, or write outside of the folder of downloads.
    case server

    /// The keys that a server's list may have.
    private static let keysOfServers = ["out", "checksum", JobOption.mirror.name, JobOption.length.name]

    /// Refuses a line, `key=value`, that such a list may not have.
    func check(_ line: String, label: String) throws(UsageError) {
        guard self == .server else { return }
        let key = ByteText.trimmed(line.prefix { $0 != "=" })
        guard Self.keysOfServers.contains(key) else {
            let known = Self.keysOfServers.joined(separator: ", ")
            throw UsageError(
                argument: label,
                "\(key) may not stand in a list that a server has, only \(known); save the list and look at it, then give the "
                    + "file to -i")
        }
        let name = ByteText.trimmed(line.dropFirst(line.prefix { $0 != "=" }.count + 1))
        guard key != "out" || Self.isSafe(name) else {
            throw UsageError(
                argument: label,
                "\"\(name)\" is no name in the folder of downloads, and a server's list may name no other")
        }
    }

    /// Whether a name that a server gives leads nowhere but into the folder of downloads or one below it, and hides
    /// nothing: what begins with a dot may be a file that programs obey (RFC 5854, 4.1.2.1).
    static func isSafe(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 4096 && name != "-"
            && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.count <= JobDestination.longestName }
            && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" }
    }
}
