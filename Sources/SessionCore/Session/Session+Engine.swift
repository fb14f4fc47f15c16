extension Session {
    /// Makes the engine that moves the bytes of a new session.
    static func makeEngine(_ configuration: SessionConfiguration) -> any TransferEngine {
        UnavailableEngine()
    }
}
