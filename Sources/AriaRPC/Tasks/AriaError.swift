/// An error of a call, with aria2's number and text.
package struct AriaError: Error, Sendable, Equatable {
    package var code: Int64
    package var message: String

    /// An error of a method, whose number is always the same.
    init(_ message: String) { (code, self.message) = (1, message) }

    private init(code: Int64, _ message: String) { (self.code, self.message) = (code, message) }

    /// The most calls of a batch or of a multicall.
    static let mostCalls = 4_096

    static let unauthorised = AriaError(AriaErrors.unauthorised)
    static let parse = AriaError(code: -32_700, AriaErrors.parse)
    static let invalidRequest = AriaError(code: -32_600, AriaErrors.invalidRequest)
    static let invalidParameters = AriaError(code: -32_602, AriaErrors.invalidParameters)
    static let answerTooLarge = AriaError(AriaErrors.answerTooLarge)
    static let tooManyCalls = AriaError(code: -32_600, AriaErrors.tooManyCalls(mostCalls))

    /// The status of an HTTP response with this error alone.
    var status: Int {
        switch code {
        case 1, -32_600: 400
        default: 500
        }
    }

    /// The error as a member of an answer, or as an item of a multicall.
    var json: JSONValue {
        .object([JSONValue.Member("code", .integer(code)), JSONValue.Member("message", .string(message))])
    }
}
