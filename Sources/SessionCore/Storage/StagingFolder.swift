import Glibc
import Support

/// Where downloads gather whose destination is asked for at the end.
enum StagingFolder {
    private static let prefix = "transfer-"

    /// A folder of this user in the system's temporary folder.
    static var systemPath: String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return (base.isEmpty ? "/tmp" : base) + "/sessioncore-\(getuid())"
    }

    /// The name of a transfer's file there, which no other transfer of any process that runs now has.
    static func name(of id: TransferID) -> String { "\(prefix)\(getpid())-\(id)" }

    /// Whether a name is that of the part of such a file: `.transfer-12-3.0a1b2c3d.part`.
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
