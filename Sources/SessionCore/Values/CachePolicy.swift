/// When a data task may be answered from the manager's response cache.
public enum CachePolicy: String, Sendable, Codable, CaseIterable {
    /// While the answer's `max-age` or `Expires` says that it is fresh; otherwise the server is asked.
    case useProtocolCachePolicy
    /// Never; what arrives is stored as usual.
    case reloadIgnoringCacheData
    /// Whatever its age, and the server is asked only when nothing is there.
    case returnCacheDataElseLoad
    /// Whatever its age, and the task fails with ``SessionError/Code/notFound`` when nothing is there.
    case returnCacheDataDontLoad
}
