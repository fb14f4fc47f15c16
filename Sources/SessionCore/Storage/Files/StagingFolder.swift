import Glibc
import SessionSupport

/// The folder of downloads that ask for their destination at the end.
///
/// Without a folder of the caller's it is in the system's temporary folder, where every user can make names: it is used
/// only if it belongs to this user, and no other user can look into it.
enum StagingFolder {
    private static let prefix = "transfer-"

    /// A folder of this user in the system's temporary folder; another one may have made it.
    static var systemPath: String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return (base.isEmpty ? "/tmp" : base) + "/sessioncore-\(getuid())"
    }

    /// The folder to take if the name of the usual one belongs to another user; nil if none can be made.
    private static let substitute = made(besides: systemPath)

    /// The folder for this process in the system's temporary folder.
    ///
    /// It may be missing. If it is taken by another user before it is opened, opening it fails.
    static var ownPath: String {
        let path = systemPath
        return isFree(path) ? path : substitute ?? path
    }

    /// Returns whether nothing or a folder of this user is at a path.
    static func isFree(_ path: String) -> Bool {
        var raw = stat()
        guard lstat(path, &raw) == 0 else { return errno == ENOENT }
        return isOwn(FileStatus(raw), user: geteuid())
    }

    /// Returns whether a status is the one of a user's folder.
    static func isOwn(_ status: FileStatus, user: UInt32) -> Bool { status.kind == .folder && status.owner == user }

    /// Makes a folder whose name begins with a path; nil if the system refuses it.
    static func made(besides path: String) -> String? {
        var template = Array("\(path).XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
    }

    /// Returns whether a path is in the place that every user can write to, so that it must be this user's alone.
    static func isShared(_ path: String, usual: String = systemPath) -> Bool {
        guard path.hasPrefix(usual) else { return false }
        let rest = path.dropFirst(usual.count)
        return rest.isEmpty || rest.first == "." && !rest.contains("/")
    }

    /// Returns the name of a transfer's file there, unique among all running processes.
    static func name(of id: TransferID) -> String { "\(prefix)\(getpid())-\(id)" }

    /// Returns whether a name belongs to such a file's part: `.transfer-12-3.0a1b2c3d.part`.
    static func isPart(_ name: String) -> Bool {
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count == 4, pieces[0].isEmpty, pieces[1].hasPrefix(prefix), pieces[3] == "part" else {
            return false
        }
        let numbers = pieces[1].dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        return numbers.count == 2 && numbers.allSatisfy { ByteText.decimal($0) != nil }
            && pieces[2].count == 8 && pieces[2].allSatisfy(\.isHexDigit)
    }
}
