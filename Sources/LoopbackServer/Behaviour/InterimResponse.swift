/// Answers of status 1xx that come before the final one.
public struct InterimResponse: Sendable {
    /// The status, from 100 to 199.
    public var status: Int
    /// The header fields of the interim response.
    public var headers: HeaderList
    /// How many times it is sent.
    public var times: Int

    /// An interim answer, sent once unless said otherwise.
    public init(status: Int, headers: HeaderList = [:], times: Int = 1) {
        self.status = status
        self.headers = headers
        self.times = times
    }
}
