/// What is needed to go on with a download later: a value that exists only when going on is possible.
///
/// Everything lies behind one reference: every transfer has room for such a value, and hardly any has one.
public struct ResumeData: Sendable, Equatable {
    private struct Values: Sendable, Equatable {
        var url: String
        var headers: HeaderFields
        var partPath: String
        var target: DownloadTarget?
    }

    private var shared: SharedValue<Values>

    /// Resume data from its parts.
    public init(url: String, headers: HeaderFields, partPath: String, target: DownloadTarget?) {
        shared = SharedValue(Values(url: url, headers: headers, partPath: partPath, target: target))
    }

    /// The request, without its body.
    public var url: String {
        get { shared.value.url }
        set { shared = shared.changed { $0.url = newValue } }
    }
    /// Header fields the user set.
    public var headers: HeaderFields {
        get { shared.value.headers }
        set { shared = shared.changed { $0.headers = newValue } }
    }
    /// Path of the part.
    public var partPath: String {
        get { shared.value.partPath }
        set { shared = shared.changed { $0.partPath = newValue } }
    }
    /// Where the finished file was to go; nil for a download with a destination closure.
    public var target: DownloadTarget? {
        get { shared.value.target }
        set { shared = shared.changed { $0.target = newValue } }
    }

    /// Compares what they say.
    public static func == (left: ResumeData, right: ResumeData) -> Bool { left.shared.value == right.shared.value }
}
