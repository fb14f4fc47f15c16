/// The policy for a request body.
public struct UploadPolicy: Sendable {
    /// The response to `Expect: 100-continue`.
    public enum Continue: Sendable, Equatable {
        /// "100 Continue" before the body is read.
        case sent
        /// None; the body is read when it comes.
        case withheld
    }

    /// The largest accepted body; nil for the server's own limit.
    ///
    /// A larger one gets status 413.
    public var limit: Int64?
    /// The speed of reading the body, its stalls, and its cut.
    public var delivery: Delivery
    /// Responds after this many bytes although the body continues; 0 responds before the first byte.
    ///
    /// Then the connection ends.
    public var answersAfter: Int64?
    /// The response to `Expect: 100-continue`.
    public var whenExpected: Continue
    /// Responses of status 1xx before the body is read, whatever the client expects.
    public var interim: [InterimResponse] = []

    /// Creates a policy, by default for the complete body at full speed.
    public init(
        limit: Int64? = nil, delivery: Delivery = Delivery(), answersAfter: Int64? = nil, whenExpected: Continue = .sent
    ) {
        self.limit = limit
        self.delivery = delivery
        self.answersAfter = answersAfter
        self.whenExpected = whenExpected
    }
}
