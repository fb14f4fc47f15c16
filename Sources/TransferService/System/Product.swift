/// The program's name and version for people and servers.
package enum Product {
    /// The version that `--version` prints.
    package static let version = "0.1.0"

    /// A moment before this version was made, in seconds since 1970 (November 2026): a clock that shows an earlier one
    /// is wrong.
    package static let builtAfter: Int64 = 1_793_491_200

    package static let userAgent = "netdash/" + version
}
