@testable import SessionCore

/// Questions for tests that do not care what they are about.
extension CallerQuestion {
    static let someRedirect = CallerQuestion.redirect(
        UndecidedRedirect(
            head: ResponseHead(statusCode: 302, url: "http://host/a"), request: TransferRequest(url: "http://host/b"),
            refusal: nil))
    static let someTrust = CallerQuestion.trust(trustQuestion(.serverTrust(chain: [[1]], isTrustedBySystem: false)))

    static func trustQuestion(_ kind: EngineChallenge.Kind) -> TrustReview.Question {
        let origin = Origin(scheme: "https", host: "host", port: 443)
        return TrustReview.Question(
            challenge: EngineChallenge(kind: kind, scheme: "https", host: "host", port: 443),
            subject: TrustMemory.Subject(certificateFor: origin, rules: ""))
    }
}
