import CCurl
import Glibc
import SessionSupport

/// The failure of a transfer's own attempt in libcurl, as facts from which its error follows.
struct AttemptFailure {
    /// libcurl's result.
    var result: CURLcode
    var url: String
    /// The server's name for messages.
    var host: String
    /// The options for its connection; nil for the default ones.
    var settings: ConnectionSettings?
    var proxyError: CURLproxycode = CURLPX_OK
    var isConnected = true
    var systemError = 0
    /// libcurl's message.
    var words = ""
    /// Whether the peer has ended the handshake because of this side's certificate.
    ///
    /// In TLS 1.3 a server refuses the client after the handshake, for which libcurl has no code.
    var isCertificateRefused = false
    var hasSentRequest = true
    /// Whether the peer has had the full request.
    var isRequestOut = true
    /// Whether the first bytes of a response have arrived, and whether its head is complete.
    var (hasBegun, isInHead, isAnswered) = (false, false, false)
    /// The speed that the attempt fell short of; nil if it was fast enough.
    var tooSlow: LeastSpeed?
    /// Whether the connection got no further than the proxy.
    var hasFailedAtProxy = false
    /// libcurl's verification results of the server's and of the proxy's certificate.
    var (verification, proxyVerification) = (0, 0)
    /// The chain that a review saw, and its objection, which the caller's policy is asked for; nil without a review.
    var reviewed: (certificates: [[UInt8]], problem: () -> String?)?

    init(_ result: CURLcode, url: String, host: String) { (self.result, self.url, self.host) = (result, url, host) }

    /// Whether the server that resolves names has failed, which libcurl 7.88 reports as a lack of memory.
    private var isNameServiceSilent: Bool {
        result == CURLE_OUT_OF_MEMORY && !isConnected && settings?.options.transport.nameService != nil
    }

    /// Whether a name was not resolved because this process has no descriptor left.
    private var lacksDescriptor: Bool {
        result == CURLE_COULDNT_RESOLVE_HOST && Self.isLack(systemError)
    }

    /// The error, in words that a user can act on.
    var error: SessionError {
        let isShown = settings?.clientCertificate != nil
        let result =
            isNameServiceSilent
            ? CURLE_COULDNT_RESOLVE_HOST
            : isCertificateRefused ? CURLE_SSL_CLIENTCERT : lacksDescriptor ? CURLE_COULDNT_CONNECT : result
        var error = CurlFailure.error(
            result, url: url, host: host, proxy: settings?.proxy, proxyError: proxyError, isConnected: isConnected,
            systemError: systemError, words: words)
        if result == CURLE_SSL_CLIENTCERT {
            if isShown {
                error.message = TrustErrors.clientCertificateRefused(host)
            } else {
                error.advice = .giveCertificate
            }
        }
        if result == CURLE_OPERATION_TIMEDOUT, hasSentRequest { (error.code, error.message) = (.stalled, standstill) }
        if error.code == .truncated, !isAnswered {
            error.code = .connectionLost
            error.message = EndSteps.silence(of: host, hasBegun: hasBegun)
        }
        // libcurl keeps a header line in a buffer of limited size, and reports CURLE_OUT_OF_MEMORY when it is full.
        if result == CURLE_OUT_OF_MEMORY, !isAnswered, hasSentRequest {
            error.code = .badResponse
            error.message = ResponseErrors.lineTooLong(host, kilobytes: 100)
        }
        if error.code == .certificate { describeDistrust(result, in: &error) }
        settings?.describe(&error, result, host: host)
        return error
    }

    /// Describes the fault of the refused certificate: as the review saw it, otherwise as libcurl did.
    private func describeDistrust(_ result: CURLcode, in error: inout SessionError) {
        if hasFailedAtProxy, let proxy = settings?.proxy {
            let problem = CurlFailure.certificateProblem(verification: proxyVerification, result: result)
            error.message = CurlFailure.distrust(of: PeerLabels.proxy("\(proxy)"), problem: problem)
            return
        }
        let problem =
            reviewed.map { $0.problem() } ?? CurlFailure.certificateProblem(verification: verification, result: result)
        error.message = CurlFailure.distrust(of: host, problem: problem)
        error.peerCertificates = reviewed?.certificates ?? []
    }

    /// Says what a stalled server stopped doing.
    private var standstill: String {
        if let tooSlow {
            let rate = SizeText.longRate(Double(tooSlow.bytesPerSecond)).string
            return TransportErrors.tooSlow(host, rate, seconds: Int64(tooSlow.seconds.rounded()))
        }
        if isAnswered || isInHead { return TransportErrors.stoppedSending(host) }
        return isRequestOut ? TransportErrors.noResponseInTime(host) : TransportErrors.stoppedReceiving(host)
    }
}

extension AttemptFailure {
    /// The system's error number while no file can be opened, else 0: libcurl does not say why it has no socket.
    private static var lackOfDescriptors: Int {
        let probe = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard probe < 0 else {
            close(probe)
            return 0
        }
        return isLack(Int(errno)) ? Int(errno) : 0
    }

    /// Whether an error number says that this process, or this machine, has as many open files as it may have.
    fileprivate static func isLack(_ number: Int) -> Bool { number == Int(EMFILE) || number == Int(ENFILE) }

    /// Reads the facts of an attempt that libcurl has finished.
    ///
    /// - Parameter least: the least speed that the attempt's options demand.
    init(_ attempt: Attempt, _ result: CURLcode, url: String, host: String, least: LeastSpeed?) {
        let handle = attempt.handle
        self.init(result, url: url, host: host)
        settings = attempt.plan.connection
        (proxyError, words) = (handle.proxyError, handle.failureWords)
        (isConnected, hasSentRequest) = (attempt.isConnected, handle.hasSentRequest)
        systemError = cc_get_long(handle.raw, CURLINFO_OS_ERRNO)
        if !isConnected, systemError == 0, result == CURLE_COULDNT_CONNECT || result == CURLE_COULDNT_RESOLVE_HOST {
            systemError = Self.lackOfDescriptors
        }
        isCertificateRefused = handle.wasRefused(showingCertificate: settings?.clientCertificate != nil)
        isRequestOut = attempt.source == nil || attempt.answerAwaitedSince != nil
        (hasBegun, isInHead, isAnswered) = (attempt.parser.hasBegun, attempt.parser.isInHead, attempt.isAnswered)
        if attempt.watches.stall?.wasLateInHead == true { isInHead = false }
        tooSlow = attempt.watches.stall?.wasTooSlow == true ? least : nil
        hasFailedAtProxy = attempt.hasFailedAtProxy
        verification = cc_get_long(handle.raw, CURLINFO_SSL_VERIFYRESULT)
        proxyVerification = cc_get_long(handle.raw, CURLINFO_PROXY_SSL_VERIFYRESULT)
        if let review = attempt.plan.trust, let peer = review.peer {
            reviewed = (peer.certificates, { review.problem })
        }
    }
}

extension SessionError {
    /// Whether no file or socket could be opened because too many are open.
    var lacksDescriptor: Bool { errno.map { AttemptFailure.isLack(Int($0)) } ?? false }
}
