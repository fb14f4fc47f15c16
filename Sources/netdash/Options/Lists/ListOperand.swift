/// A file or URL with jobs; "-" is standard input as it arrives.
struct ListOperand: Sendable, Equatable, ExpressibleByStringLiteral {
    var path: String
    /// Whether it is a configuration file of curl, whatever its first line is.
    var isCurl = false

    init(_ path: String, isCurl: Bool = false) { (self.path, self.isCurl) = (path, isCurl) }

    init(stringLiteral path: String) { self.path = path }

    /// The same list, read to its end before anything starts.
    var readWhole: ListOperand { path == "-" ? ListOperand("/dev/stdin", isCurl: isCurl) : self }
}

/// The links of a page, or the requests of a HAR file, that become downloads.
struct LinkChoice: Sendable, Equatable {
    /// Globs of file names; one without `*`, `?` and `[` is the end of a name, and one with a slash is of the URL.
    var accepted: [String] = []
    var rejected: [String] = []

    var isEmpty: Bool { accepted.isEmpty && rejected.isEmpty }
}
