import Dashboard
import SessionSupport

/// The origin of a list, which decides the keys it may contain.
enum ListSource: Sendable, Equatable {
    /// The user: every key is allowed.
    case user
    /// A server: the list may name files and their checksums. Every other key could read this user's files and secrets,
    /// send them anywhere, or write outside the download folder.
    ///
    /// - Parameter url: the URL of the list.
    case server(url: String)

    /// The keys that a server's list may contain.
    private static let keysOfServers = ["out", "checksum", JobOption.mirror.name, JobOption.length.name]

    /// Throws for a forbidden key or value.
    func check(_ key: ListKey, _ value: String, label: String) throws(UsageError) {
        guard self != .user else { return }
        guard Self.keysOfServers.contains(key.name) else {
            let known = Self.keysOfServers.joined(separator: ", ")
            throw UsageError(
                argument: label,
                ListUsage.keyOfServer(key.name, known: known))
        }
        guard key.name != "out" || Self.isSafe(value) else {
            throw UsageError(argument: label, ListUsage.pathOfServer(value))
        }
    }

    /// A job of the list, without credentials where its URL names another server than the list's.
    ///
    /// A redirect to another server drops the same fields and options.
    func bounded(_ job: Job) -> Job {
        guard case .server(let list) = self, !URLScan.haveSameServer(list, job.url) else { return job }
        var job = job
        job.headers.removeAll { !HeaderFields.isCrossOriginSafe($0.name) }
        job.options.removeAll { $0.option.reach == .server }
        return job
    }

    /// Returns whether a name from a server is a path in the download folder (RFC 5854, 4.1.2.1).
    ///
    /// No component may begin with a dot: such files configure programs.
    static func isSafe(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 4096 && name != "-"
            && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.count <= JobDestination.longestName }
            && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" }
    }
}
