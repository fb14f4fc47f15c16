import Glibc

/// Where downloads gather whose destination is asked for at the end.
enum StagingFolder {
    /// A folder of this user in the system's temporary folder.
    static var systemPath: String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return (base.isEmpty ? "/tmp" : base) + "/sessioncore-\(getuid())"
    }
}
