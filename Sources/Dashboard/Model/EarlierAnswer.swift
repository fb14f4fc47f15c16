/// An answer before the one that the details show: a redirect, an interim one, or a wish for credentials.
package struct EarlierAnswer: Sendable, Equatable {
    /// `HTTP/1.1 302 Found`.
    package var statusLine: SafeText
    /// The URL that answered.
    package var url: SafeText
    package var headers: [RowDetails.Header]

    package init(statusLine: SafeText, url: SafeText, headers: [RowDetails.Header]) {
        self.statusLine = statusLine
        self.url = url
        self.headers = headers
    }
}
