import Dashboard

/// A `.http` file on the command line, `FILE` or `FILE#NAME`, which is read before the run begins.
struct RequestFile: Sendable, Equatable {
    var path: String
    /// The one request that is sent; nil for all of them.
    var name: String?
    /// The command line's terms of every request.
    var terms: Job

    /// Creates the reader of a `.http` file; nil for an operand that names none.
    init?(_ operand: String, terms: Job) {
        let parts = operand.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0])
        guard [".http", ".rest"].contains(where: { path.hasSuffix($0) }), !path.contains("://") else { return nil }
        (self.path, self.terms) = (path, terms)
        if parts.count == 2, !parts[1].isEmpty { name = String(parts[1]) }
    }
}
