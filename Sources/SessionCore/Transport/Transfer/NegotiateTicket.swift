import CCurl
import Glibc
import SessionSupport

/// Fetches the Kerberos ticket that goes into the field `Authorization`.
///
/// `CURLOPT_HTTPAUTH` is not used: it blocks the loop while a ticket server answers, and libcurl has reused such a
/// connection for another user (CVE-2026-1965, -5545, -8458).
enum NegotiateTicket {
    /// Gets a ticket on a separate thread, because the call may wait for a ticket server and cannot be interrupted.
    static func get(host: String, _ reply: @escaping @Sendable (Result<String, SessionError>) -> Void) {
        do throws(SessionError) {
            try SystemThread.startDetached(name: "session-ticket") { reply(make(host: host)) }
        } catch {
            reply(.failure(error))
        }
    }

    /// Returns a ticket in Base64.
    ///
    /// Blocks for as long as the Kerberos library waits for its ticket server.
    static func make(host: String) -> Result<String, SessionError> {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        var problem = [CChar](repeating: 0, count: 512)
        let result = cc_negotiate_token("HTTP@" + host, &bytes, &count, &problem, problem.count)
        defer { free(bytes) }
        switch result {
        case CC_NEGOTIATE_MADE:
            guard let bytes else { return .failure(refusal(host, TrustReasons.outOfMemory)) }
            return .success(Base64.encode(Array(UnsafeBufferPointer(start: bytes, count: count))))
        case CC_NEGOTIATE_UNAVAILABLE:
            return .failure(refusal(host, TrustReasons.noGSSAPI))
        default:
            let words = String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return .failure(refusal(host, words.isEmpty ? TrustReasons.noReason : words))
        }
    }

    private static func refusal(_ host: String, _ reason: String) -> SessionError {
        SessionError(.authenticationRequired, TrustErrors.noTicket(host, reason))
    }
}
