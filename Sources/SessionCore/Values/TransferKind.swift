/// The three kinds of task.
public enum TransferKind: String, Sendable, CaseIterable {
    /// A request whose response body stays in memory or is streamed to the caller.
    case data
    /// A request that carries a body, with the response kept in memory.
    case upload
    /// A request whose response body becomes a file.
    case download
}
