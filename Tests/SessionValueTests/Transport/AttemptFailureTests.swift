import CCurl
import Testing

@testable import SessionCore

/// The error of a failed attempt, from facts alone.
@Suite("Failure of an attempt")
struct AttemptFailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var result: CURLcode
        var change: @Sendable (inout AttemptFailure) -> Void = { _ in }
        var code: SessionError.Code
        var message: String
    }

    static let rows: [Row] = [
        Row(
            testDescription: "a connection was never made", result: CURLE_OPERATION_TIMEDOUT,
            change: { $0.hasSentRequest = false }, code: .timedOut, message: TransportErrors.timedOut("host")),
        Row(
            testDescription: "a server never answers", result: CURLE_OPERATION_TIMEDOUT, code: .stalled,
            message: TransportErrors.noResponseInTime("host")),
        Row(
            testDescription: "a server stops reading", result: CURLE_OPERATION_TIMEDOUT,
            change: { $0.isRequestOut = false }, code: .stalled, message: TransportErrors.stoppedReceiving("host")),
        Row(
            testDescription: "a server stops sending", result: CURLE_OPERATION_TIMEDOUT,
            change: { $0.isAnswered = true }, code: .stalled, message: TransportErrors.stoppedSending("host")),
        Row(
            testDescription: "a body ends early", result: CURLE_PARTIAL_FILE, change: { $0.isAnswered = true },
            code: .truncated, message: TransportErrors.closedEarly("host")),
        Row(
            testDescription: "a head ends early", result: CURLE_PARTIAL_FILE, change: { $0.hasBegun = true },
            code: .connectionLost, message: TransportErrors.cutReply("host")),
        Row(
            testDescription: "nothing of a head has come", result: CURLE_PARTIAL_FILE, code: .connectionLost,
            message: TransportErrors.emptyReply("host")),
        Row(
            testDescription: "a header line has no end", result: CURLE_OUT_OF_MEMORY, code: .badResponse,
            message: ResponseErrors.lineTooLong("host", kilobytes: 100)),
        Row(
            testDescription: "a server wants a certificate", result: CURLE_RECV_ERROR,
            change: { $0.isCertificateRefused = true }, code: .tls,
            message: TrustErrors.clientCertificateRequired("host")),
        Row(
            testDescription: "libcurl names the fault of a certificate", result: CURLE_PEER_FAILED_VERIFICATION,
            code: .certificate, message: TrustErrors.notTrusted("host", TrustReasons.otherHost)),
        Row(
            testDescription: "a review names it", result: CURLE_PEER_FAILED_VERIFICATION,
            change: { $0.reviewed = ([[1]], { "odd" }) }, code: .certificate,
            message: TrustErrors.notTrusted("host", "odd")),
    ]

    @Test("Says what has happened", arguments: rows)
    func sentence(row: Row) {
        var failure = AttemptFailure(row.result, url: "https://host/file", host: "host")
        row.change(&failure)
        let error = failure.error
        #expect(error.code == row.code)
        #expect(error.message == row.message)
        #expect(error.failingURL == "https://host/file")
        #expect(error.peerCertificates == failure.reviewed?.certificates ?? [])
    }

    @Test("A server that was too slow is told its speed, whatever else it did")
    func tooSlow() {
        var failure = AttemptFailure(CURLE_OPERATION_TIMEDOUT, url: "http://host/file", host: "host")
        failure.isAnswered = true
        failure.tooSlow = LeastSpeed(bytesPerSecond: 1000, seconds: 5)
        #expect(failure.error.code == .stalled)
        #expect(failure.error.message != TransportErrors.stoppedSending("host"))
        #expect(failure.error.message.contains("5 s"))
    }

    @Test("The caller's policy is asked about a chain only where the certificate is the failure")
    func policyIsAskedOnce() {
        final class Count { var value = 0 }
        let count = Count()
        for (result, expected) in [(CURLE_RECV_ERROR, 0), (CURLE_PEER_FAILED_VERIFICATION, 1)] {
            var failure = AttemptFailure(result, url: "https://host/file", host: "host")
            failure.reviewed = (
                [],
                {
                    count.value += 1
                    return nil
                }
            )
            _ = failure.error
            #expect(count.value == expected)
        }
    }
}

/// What libcurl is told about a paused attempt.
@Suite("Pause of an attempt")
struct AttemptPauseTests {
    private static let (receive, send) = (CURLPAUSE_RECV, CURLPAUSE_SEND)
    private static let both = CURLPAUSE_RECV | CURLPAUSE_SEND

    struct Row: Sendable {
        var reasons: Attempt.Pause
        var withBody: Int32
        var without: Int32
    }

    static let rows: [Row] = [
        Row(reasons: [], withBody: CURLPAUSE_CONT, without: CURLPAUSE_CONT),
        Row(reasons: .user, withBody: both, without: both),
        Row(reasons: .sink, withBody: receive, without: both),
        Row(reasons: .decision, withBody: receive, without: both),
        Row(reasons: .downloadRate, withBody: receive, without: both),
        Row(reasons: .source, withBody: send, without: send),
        Row(reasons: .uploadRate, withBody: send, without: send),
        Row(reasons: [.sink, .source], withBody: both, without: both),
    ]

    @Test("Each reason stops its directions, and without a body both stop together", arguments: rows)
    func mask(row: Row) {
        #expect(row.reasons.mask(hasBody: true) == row.withBody)
        #expect(row.reasons.mask(hasBody: false) == row.without)
    }
}
