import Glibc
import SessionSupport

/// Checks addresses, sockets, interfaces and files that options name before the run, because a wrong one fails every
/// attempt.
package enum LocalEndpoints {
    /// Returns whether a text is an IP address; an IPv6 address may have brackets.
    package static func isAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let plain = isBracketed ? String(text.dropFirst().dropLast()) : text
        // A zone may follow, which is checked when the address is used.
        let address = String(plain.prefix { $0 != "%" })
        return inet_pton(AF_INET6, address, &bytes) == 1 || (!isBracketed && inet_pton(AF_INET, text, &bytes) == 1)
    }

    /// The problem with a socket to connect to; nil without one.
    package static func problem(withSocket path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return IdentityUsage.unreachable(path, SystemWords.text(errno)) }
        guard status.st_mode & S_IFMT == S_IFSOCK else { return IdentityUsage.noSocket(path) }
        guard access(path, W_OK) == 0 else { return IdentityUsage.unreachable(path, SystemWords.text(errno)) }
        return nil
    }

    /// The problem with an interface or address that connections use locally; nil when it may exist.
    ///
    /// libcurl accepts `if!NAME` and `host!NAME` too, and a name with a dot may be a host's.
    package static func problem(withInterface text: String) -> String? {
        guard !text.hasPrefix("host!"), !text.hasPrefix("ifhost!") else { return nil }
        let isNamed = text.hasPrefix("if!")
        let name = isNamed ? String(text.dropFirst(3)) : text
        if if_nametoindex(name) != 0 { return nil }
        if !isNamed, isAddress(name) || name.contains(".") || name == "localhost" { return nil }
        return IdentityUsage.noInterface(name)
    }

    /// Whether this process may give its packets a priority.
    package static func allows(priority: UInt8) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        // Without a socket the connections fail with a reason of their own.
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var level = Int32(priority)
        return setsockopt(descriptor, SOL_SOCKET, SO_PRIORITY, &level, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// The problem with a file or folder that is read repeatedly; nil without one.
    package static func problem(withReadFile path: String) -> String? {
        guard access(path, R_OK) == 0 else { return unreadable(path) }
        return OutputPath(path).isReadAgain ? nil : IdentityUsage.readOnce(path)
    }

    /// The problem with a file that is read later; nil without one.
    package static func problem(withReading path: String) -> String? {
        guard access(path, R_OK) == 0 else { return unreadable(path) }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return IdentityUsage.folder(path)
    }

    /// The reason from `errno`; a URL given as a path may contain a password.
    private static func unreadable(_ path: String) -> String {
        let reason = SystemWords.text(errno)
        return IdentityUsage.unreadable(URLScan(path).isWeb ? Redaction.url(path) : path, reason)
    }

    /// The problem with a file that is written later; nil without one.
    package static func problem(withNewFile path: String) -> String? {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        if OutputPath(path) == .folder { return IdentityUsage.folder(path) }
        // An existing writable file needs no writable folder.
        if access(path, W_OK) == 0 { return nil }
        guard access(folder, W_OK | X_OK) == 0 else {
            return IdentityUsage.unwritable(path, SystemWords.text(errno))
        }
        return nil
    }
}
