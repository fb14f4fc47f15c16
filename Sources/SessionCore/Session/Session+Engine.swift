extension Session {
    /// Makes the engine that moves the bytes of a new session.
    ///
    /// A machine that has no thread or descriptor left still gets a session; its tasks fail with that reason.
    static func makeEngine(_ configuration: SessionConfiguration) -> any TransferEngine {
        do throws(SessionError) {
            return try TransferLoop(configuration: configuration)
        } catch {
            return UnavailableEngine(reason: error)
        }
    }
}
