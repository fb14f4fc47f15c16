/// What is needed to go on with a download later: a value that exists only when going on is possible.
///
/// It may be coded and used in a later run, as long as the part is there: what the server said about the file lies in a
/// meta beside the part, and both are proven again before a byte is added. The header fields are coded with their
/// values, which may be secrets.
public struct ResumeData: Sendable, Equatable, Codable {
    /// The request, without its body.
    public var url: String
    /// Header fields the user set.
    public var headers: HeaderFields
    /// Path of the part, which stays until somebody goes on with it; whoever throws the data away may delete it.
    public var partPath: String
    /// Where the finished file was to go; nil for a download with a destination closure.
    public var target: DownloadTarget?

    /// Resume data from its parts.
    public init(url: String, headers: HeaderFields, partPath: String, target: DownloadTarget?) {
        self.url = url
        self.headers = headers
        self.partPath = partPath
        self.target = target
    }
}
