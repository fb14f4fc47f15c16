/// Why the server could not start or could not make what was asked for.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system call that failed.
    public let call: String
    /// Its `errno`.
    public let number: Int32

    /// One plain sentence.
    public var description: String { "The system call \(call) failed with error \(number)." }
}
