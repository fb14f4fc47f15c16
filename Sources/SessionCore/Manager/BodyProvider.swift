/// Makes a request's body, and makes it again when it has to be repeated after a redirect or a lost connection.
public protocol BodyProvider: Sendable {
    /// A body from its beginning. May be called several times.
    func makeBody() throws(SessionError) -> BodySpecification
}
