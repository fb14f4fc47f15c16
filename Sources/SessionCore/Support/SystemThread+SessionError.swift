import Support

extension SystemThread {
    /// Runs `body` on a thread of the library's own that nobody joins.
    ///
    /// Throws `internal` when the system refuses a thread.
    static func startDetached(name: String, _ body: @escaping @Sendable () -> Void) throws(SessionError) {
        do throws(Refusal) {
            try detach(name: name, body)
        } catch {
            let words = SystemWords.text(error.number)
            throw SessionError(.internal, "No thread can be started: \(words)", errno: error.number)
        }
    }
}
