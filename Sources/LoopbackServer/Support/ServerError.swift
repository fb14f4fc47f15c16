import SessionSupport

/// A failed system call of the server.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system call that failed.
    public let call: String
    /// The system's `errno`.
    public let number: Int32

    /// The call and its error number, as one sentence.
    public var description: String { "The system call \(call) failed with error \(number)." }
}

extension SystemThread {
    /// Runs `body` on a thread of the server, which must be joined once.
    static func serve(
        name: String, stackByteCount: Int, _ body: @escaping @Sendable () -> Void
    ) throws(ServerError) -> SystemThread {
        do throws(Refusal) {
            return try start(name: name, stackByteCount: stackByteCount, body)
        } catch {
            throw ServerError(call: error.call, number: error.number)
        }
    }
}
