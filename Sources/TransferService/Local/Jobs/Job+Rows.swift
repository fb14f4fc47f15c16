extension Job {
    /// Whether a download of the same URL to the same file needs a row of its own beside the one of `other`.
    func isBeside(_ other: Job) -> Bool {
        checksum != other.checksum || headers != other.headers || options != other.options
            || predecessors != other.predecessors || aria?.gid != nil && aria?.gid != other.aria?.gid
    }
}
