/// An answer before the one that the details show: a redirect, an interim one, or a wish for credentials.
struct EarlierAnswer: Sendable, Equatable {
    /// `HTTP/1.1 302 Found`.
    var statusLine: SafeText
    /// The URL that answered.
    var url: SafeText
    var headers: [RowDetails.Header]
}
