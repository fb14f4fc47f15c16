/// What the server does with a request body.
public struct UploadPolicy: Sendable {
    /// What to say to `Expect: 100-continue`.
    public enum Continue: Sendable, Equatable {
        /// "100 Continue" before the body is read.
        case sent
        /// Nothing; the body is read when it comes.
        case withheld
    }

    /// The largest body that is taken; nil for the server's own limit.
    ///
    /// A larger one is answered with 413.
    public var limit: Int64?
    /// How fast the body is read, where it stands still, and where the connection breaks off.
    public var delivery: Delivery
    /// Answers after so many bytes although the body goes on; 0 answers before the first byte.
    ///
    /// The connection ends then.
    public var answersAfter: Int64?
    /// What to say to `Expect: 100-continue`.
    public var whenExpected: Continue
    /// Answers of status 1xx sent before the body is read, whatever the client expects.
    public var interim: [InterimResponse] = []

    /// Reads the whole body as fast as it comes, unless said otherwise.
    public init(
        limit: Int64? = nil, delivery: Delivery = Delivery(), answersAfter: Int64? = nil, whenExpected: Continue = .sent
    ) {
        self.limit = limit
        self.delivery = delivery
        self.answersAfter = answersAfter
        self.whenExpected = whenExpected
    }
}
