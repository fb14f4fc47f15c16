/// The program as it names itself to people and to servers.
package enum Product {
    /// The version that `--version` prints.
    package static let version = "0.1.0"

    /// A moment before this version was made, in seconds since 1970 (November 2026): no right clock shows an earlier one.
    package static let builtAfter: Int64 = 1_793_491_200

    /// The name that requests carry.
    package static let userAgent = "netdash/" + version
}
