/// An error of the caller's own code or of another library that lay under one of ours.
public struct UnderlyingError: Sendable, Equatable {
    /// The error as it was given.
    public let error: any Error

    /// Keeps an error.
    public init(_ error: any Error) {
        self.error = error
    }

    /// Errors have no equality of their own: equal are two that say the same.
    public static func == (left: UnderlyingError, right: UnderlyingError) -> Bool {
        String(reflecting: left.error) == String(reflecting: right.error)
    }
}
