/// What is needed to go on with a download later: a value that exists only when going on is possible.
public struct ResumeData: Sendable, Equatable {
    /// The request, without its body.
    public var url: String
    /// Header fields the user set.
    public var headers: HeaderFields
    /// Path of the part.
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
