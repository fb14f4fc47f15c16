import Glibc
import SessionSupport

/// Places of this machine that options name, looked at before anything begins: what is wrong with one is wrong at every
/// attempt.
package enum LocalEndpoints {
    /// Whether a text is an IP address, an IPv6 one with or without brackets.
    package static func isAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let plain = isBracketed ? String(text.dropFirst().dropLast()) : text
        // A zone may follow, which is looked at when the address is used.
        let address = String(plain.prefix { $0 != "%" })
        return inet_pton(AF_INET6, address, &bytes) == 1 || (!isBracketed && inet_pton(AF_INET, text, &bytes) == 1)
    }

    /// What is wrong with a socket that is to be connected to, in words; nil when nothing can be said against it.
    package static func problem(withSocket path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return IdentityUsage.unreachable(path, SystemWords.text(errno)) }
        guard facts.st_mode & S_IFMT == S_IFSOCK else { return IdentityUsage.noSocket(path) }
        guard access(path, W_OK) == 0 else { return IdentityUsage.unreachable(path, SystemWords.text(errno)) }
        return nil
    }

    /// What is wrong with an interface or address that connections are to begin at, in words; nil when it may be there.
    ///
    /// libcurl takes `if!NAME` and `host!NAME` too, and a name with a dot may be that of a host.
    package static func problem(withInterface text: String) -> String? {
        guard !text.hasPrefix("host!"), !text.hasPrefix("ifhost!") else { return nil }
        let isNamed = text.hasPrefix("if!")
        let name = isNamed ? String(text.dropFirst(3)) : text
        if if_nametoindex(name) != 0 { return nil }
        if !isNamed, isAddress(name) || name.contains(".") || name == "localhost" { return nil }
        return IdentityUsage.noInterface(name)
    }

    /// What is wrong with a file or folder that is read whenever it is needed, in words; nil when nothing is.
    package static func problem(withReadFile path: String) -> String? {
        guard access(path, R_OK) == 0 else { return unreadable(path) }
        return OutputPath(path).isReadAgain ? nil : IdentityUsage.readOnce(path)
    }

    /// What is wrong with a file that is read later, in words; nil when nothing can be said against it.
    package static func problem(withReading path: String) -> String? {
        guard access(path, R_OK) == 0 else { return unreadable(path) }
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
        return IdentityUsage.folder(path)
    }

    /// Why a file cannot be read, from `errno`; a URL in its place may have a password.
    private static func unreadable(_ path: String) -> String {
        let reason = SystemWords.text(errno)
        return IdentityUsage.unreadable(URLScan(path).isWeb ? Redaction.url(path) : path, reason)
    }

    /// What is in the way of a file that is written later, in words; nil when nothing is.
    package static func problem(withNewFile path: String) -> String? {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        if OutputPath(path) == .folder { return IdentityUsage.folder(path) }
        // What is there already and can be written needs no room in its folder.
        if access(path, W_OK) == 0 { return nil }
        guard access(folder, W_OK | X_OK) == 0 else {
            return IdentityUsage.unwritable(path, SystemWords.text(errno))
        }
        return nil
    }
}
