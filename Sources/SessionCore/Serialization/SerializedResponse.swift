/// What a serializer made of a response.
public struct SerializedResponse: Sendable {
    /// The object; nil where there is none.
    public var object: (any Sendable)?
    /// Why the response is not acceptable; an object may be there all the same.
    public var error: (any Error)?

    /// A result from its parts.
    public init(object: (any Sendable)? = nil, error: (any Error)? = nil) {
        self.object = object
        self.error = error
    }
}
