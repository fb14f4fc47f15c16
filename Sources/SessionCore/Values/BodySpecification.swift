/// Where a request's body comes from.
public enum BodySpecification: Sendable, Equatable {
    /// No body.
    case none
    /// Bytes held in memory; can be sent again.
    case bytes([UInt8])
    /// A file, read while it is sent; can be sent again.
    case file(path: String)
    /// An open descriptor read to its end, of unknown length; cannot be sent again. The caller keeps it open.
    case descriptor(Int32)

    /// Whether it can be sent again.
    public var isReplayable: Bool {
        switch self {
        case .none, .bytes, .file: true
        case .descriptor: false
        }
    }
}
