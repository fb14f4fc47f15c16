import CCurl
import Glibc
import SessionSupport

/// Servers that want a Kerberos ticket (RFC 4559): the response waits until there is one for them.
extension Transfer {
    /// Answers a server that asks for a ticket; false where it does not, or where it has refused the one it was shown.
    ///
    /// Each ticket is good for one request, so a further one is got when a later attempt is asked again. The question is
    /// one of those that the caller answers otherwise, so that pausing and cancelling end the waiting.
    func showTicket(_ head: ResponseHead, _ attempt: Attempt, _ origin: Origin) -> Bool {
        let offers = head.headers.values(named: "WWW-Authenticate").flatMap(AuthenticationOffer.parse)
        guard let offer = offers.first(where: \.isNegotiate), !credentials.hasShownTicket(to: origin),
            mayRepeatBody
        else { return false }
        attempt.pause.insert(.decision)
        let reply: @Sendable (Result<String, SessionError>) -> Void = question(.credentials) { transfer, result in
            transfer.gotTicket(result, for: offer, origin)
        }
        let host = origin.host
        do throws(SessionError) {
            // Asking for one may wait for a server of tickets, and nothing here can end that.
            try SystemThread.startDetached(name: "session-ticket") { reply(NegotiateTicket.make(host: host)) }
        } catch {
            reply(.failure(error))
        }
        return true
    }

    private func gotTicket(_ result: Result<String, SessionError>, for offer: AuthenticationOffer, _ origin: Origin) {
        guard let attempt else { return }
        switch result {
        case .success(let ticket):
            credentials.give(HTTPCredentials(offer: offer, user: "", password: ticket), to: origin, from: .options)
            turnDown(attempt, then: .authenticate, keepingPage: false)
        case .failure(var error):
            error.failingURL = request.url
            error.statusCode = 401
            turnDown(attempt, then: .fail(error), keepingPage: true)
        }
        proceed()
    }
}

/// A ticket for a server as the field `Authorization` has it.
enum NegotiateTicket {
    /// A ticket in Base64.
    ///
    /// May wait for a server of tickets for as long as its library does.
    static func make(host: String) -> Result<String, SessionError> {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        var problem = [CChar](repeating: 0, count: 512)
        let result = cc_negotiate_token("HTTP@" + host, &bytes, &count, &problem, problem.count)
        defer { free(bytes) }
        switch result {
        case CC_NEGOTIATE_MADE:
            guard let bytes else { return .failure(refusal(host, "memory is short")) }
            return .success(Base64.encode(Array(UnsafeBufferPointer(start: bytes, count: count))))
        case CC_NEGOTIATE_UNAVAILABLE:
            return .failure(refusal(host, "libgssapi_krb5.so.2 is missing; install the package libgssapi-krb5-2"))
        default:
            let words = String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return .failure(refusal(host, words.isEmpty ? "GSS-API does not say why" : words))
        }
    }

    private static func refusal(_ host: String, _ reason: String) -> SessionError {
        SessionError(
            .authenticationRequired, "No Kerberos ticket for \(host) can be had, see klist and kinit: \(reason)")
    }
}
