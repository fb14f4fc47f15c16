import CCurl
import Glibc
import SessionSupport

extension SessionError {
    /// Whether the server responded in plain HTTP to a TLS handshake.
    package var isPlainAnswer: Bool { code == .badResponse && curlCode == Int(CURLE_SSL_CONNECT_ERROR.rawValue) }
}

/// Converts libcurl's result codes into errors that a user can act on.
enum CurlFailure {
    /// Returns the error for a result other than CURLE_OK.
    ///
    /// `host` is the name the user knows the server by. With a proxy, a failed connection is the one to the proxy.
    /// `words` is libcurl's message, which alone tells some failures of a peer from a lost connection.
    static func error(
        _ code: CURLcode, url: String, host: String, proxy: Proxy? = nil, proxyError: CURLproxycode = CURLPX_OK,
        isConnected: Bool = true, systemError: Int, words: String = ""
    ) -> SessionError {
        if code == CURLE_URL_MALFORMAT, let fault = fault(of: url) { return fault }
        let isProxys =
            code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_PROXY
            || code == CURLE_OPERATION_TIMEDOUT && !isConnected
        let server = code == CURLE_COULDNT_CONNECT ? Origin.label(of: url) : host
        let peer = isProxys ? proxy.map { PeerLabels.proxy("\($0)") } ?? server : host
        let (kind, sentence) =
            code == CURLE_PROXY
            ? socksFailure(proxyError, host: host, proxy: proxy)
            : unreadable(code, words, host: host, proxy: proxy)
                ?? describe(code, host: peer, systemError: systemError)
        return SessionError(
            kind, sentence, failingURL: url, curlCode: Int(code.rawValue),
            errno: systemError == 0 ? nil : Int32(truncatingIfNeeded: systemError))
    }

    /// Returns the reason why a URL cannot be requested, which libcurl's code does not say.
    private static func fault(of url: String) -> SessionError? {
        do throws(SessionError) {
            _ = try ParsedURL(url)
            return nil
        } catch {
            var error = error
            (error.failingURL, error.curlCode) = (url, Int(CURLE_URL_MALFORMAT.rawValue))
            return error
        }
    }

    /// Recognises unparsable responses that libcurl reports as a lost connection or a caller's mistake.
    ///
    /// A body whose chunks cannot be parsed counts as truncated there.
    private static func unreadable(
        _ code: CURLcode, _ words: String, host: String, proxy: Proxy?
    ) -> (SessionError.Code, String)? {
        switch code {
        case CURLE_RECV_ERROR where words.contains(LibraryWords.proxyHeadTooLong):
            return (.badResponse, ResponseErrors.lineTooLong(name(of: proxy), kilobytes: 16))
        case CURLE_RECV_ERROR where words.hasPrefix(LibraryWords.headTooLong):
            return (.badResponse, ResponseErrors.headTooLong(proxy == nil ? host : name(of: proxy)))
        case CURLE_RECV_ERROR where words.hasSuffix(LibraryWords.inChunks):
            return words.hasPrefix(LibraryWords.outOfMemory)
                ? (.badResponse, ResponseErrors.trailerTooLong(host))
                : (.truncated, ResponseErrors.invalidChunks(host))
        case CURLE_SSL_CONNECT_ERROR where LibraryWords.plainAnswers.contains { words.contains($0) }:
            return (.badResponse, TransportErrors.plainHTTP(proxy == nil ? host : PeerLabels.otherSide))
        case CURLE_SSL_CONNECT_ERROR where LibraryWords.otherVersions.contains { words.contains($0) }:
            return (.tls, TransportErrors.noCommonTLS(proxy == nil ? host : PeerLabels.otherSide))
        case CURLE_BAD_FUNCTION_ARGUMENT:
            return (.badResponse, ResponseErrors.unreadableLine(host))
        default: return nil
        }
    }

    private static func describe(_ code: CURLcode, host: String, systemError: Int) -> (SessionError.Code, String) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return (.unknownHost, TransportErrors.hostUnknown(host))
        case CURLE_COULDNT_RESOLVE_PROXY:
            return (.unknownHost, TransportErrors.proxyUnknown(host))
        case CURLE_INTERFACE_FAILED:
            return (.networkUnreachable, TransportErrors.interfaceUnknown)
        case CURLE_COULDNT_CONNECT:
            return connectFailure(host: host, systemError: systemError)
        case CURLE_OPERATION_TIMEDOUT:
            return (.timedOut, TransportErrors.timedOut(host))
        case CURLE_PARTIAL_FILE:
            return (.truncated, TransportErrors.closedEarly(host))
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND:
            return (.connectionLost, TransportErrors.lost(host))
        case CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return (.connectionLost, TransportErrors.streamReset(host))
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return (.certificate, distrust(of: host, problem: nil))
        case CURLE_SSL_CACERT_BADFILE:
            return (.tls, TrustErrors.emptyCAFile)
        case CURLE_SSL_CERTPROBLEM:
            return (.tls, TrustErrors.clientCertificateUnreadable)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_SHUTDOWN_FAILED:
            return (.tls, TransportErrors.tlsFailed(host))
        case CURLE_SSL_CLIENTCERT:
            return (.tls, TrustErrors.clientCertificateRequired(host))
        case CURLE_UNSUPPORTED_PROTOCOL:
            // Unknown schemes are refused before libcurl sees them, so this is a response without a status line.
            return (.badResponse, ResponseErrors.noHTTP(host))
        case CURLE_URL_MALFORMAT:
            return (.invalidURL, URLErrors.invalid)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP_RETURNED_ERROR, CURLE_BAD_CONTENT_ENCODING, CURLE_CHUNK_FAILED,
            CURLE_RANGE_ERROR:
            return (.badResponse, ResponseErrors.invalid(host))
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR, CURLE_REMOTE_ACCESS_DENIED:
            return (.authenticationRequired, ResponseErrors.credentialsRefused(host))
        case CURLE_FILESIZE_EXCEEDED:
            return (.bodyTooLarge, ResponseErrors.tooLarge(host))
        case CURLE_OUT_OF_MEMORY:
            return (.internal, TransportErrors.outOfMemory)
        default:
            // The remaining codes belong to other protocols or to options that are never set.
            return (.internal, TransportErrors.other(String(cString: curl_easy_strerror(code))))
        }
    }

    private static func name(of proxy: Proxy?) -> String { proxy.map { PeerLabels.proxy("\($0)") } ?? PeerLabels.proxy }

    /// Describes a SOCKS proxy's refusal, or the failure to get its reply (RFC 1928, 6 and RFC 1929).
    private static func socksFailure(
        _ code: CURLproxycode, host: String, proxy: Proxy?
    ) -> (SessionError.Code, String) {
        let name = name(of: proxy)
        switch code {
        case CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_RECV_AUTH, CURLPX_IDENTD, CURLPX_IDENTD_DIFFER, CURLPX_GSSAPI,
            CURLPX_GSSAPI_PERMSG, CURLPX_GSSAPI_PROTECTION, CURLPX_LONG_USER, CURLPX_LONG_PASSWD:
            return (.authenticationRequired, TransportErrors.proxyCredentials(name))
        case CURLPX_RESOLVE_HOST:
            return (.unknownHost, TransportErrors.hostUnknownHere(host))
        case CURLPX_REPLY_CONNECTION_REFUSED:
            return (.connectionRefused, TransportErrors.refusedToProxy(host))
        case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_TTL_EXPIRED:
            return (.networkUnreachable, TransportErrors.noRouteFrom(name, to: host))
        case CURLPX_REPLY_NOT_ALLOWED: return (.connectionRefused, TransportErrors.proxyForbids(name, host))
        case CURLPX_BAD_VERSION, CURLPX_CLOSED:
            return (.connectionLost, TransportErrors.noSOCKS(name))
        default: return (.connectionRefused, TransportErrors.failedThrough(name, to: host))
        }
    }

    /// Returns the message for a refused certificate, with the reason if known.
    ///
    /// An expiry is judged by this machine's clock, which may itself be wrong, so the message states its date.
    static func distrust(of host: String, problem: String?, now: Double = WallClock.now()) -> String {
        guard let problem else { return TrustErrors.notTrusted(host) }
        let isOfClock = problem == TrustReasons.expired || problem == TrustReasons.notYetValid
        let reason = isOfClock ? TrustReasons.byClock(problem, UniversalTime(Int64(now)).date) : problem
        return TrustErrors.notTrusted(host, reason)
    }

    /// Describes a certificate's fault as libcurl verified it; nil where it reports none.
    ///
    /// libcurl checks the name itself if the chain was good, before it reads the chain's result.
    static func certificateProblem(verification: Int, result: CURLcode) -> String? {
        // A chain that did not have to be trusted may be bad too, but the key is why it was refused.
        if result == CURLE_SSL_PINNEDPUBKEYNOTMATCH { return TrustReasons.keyNotPinned }
        if let problem = CertificateProblem.words(verification) { return problem }
        return result == CURLE_PEER_FAILED_VERIFICATION ? TrustReasons.otherHost : nil
    }

    private static func connectFailure(host: String, systemError: Int) -> (SessionError.Code, String) {
        switch Int32(truncatingIfNeeded: systemError) {
        case ECONNREFUSED:
            return (.connectionRefused, TransportErrors.refused(host))
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL:
            return (.networkUnreachable, TransportErrors.noRoute(host))
        case EMFILE, ENFILE:
            return (.internal, TransportErrors.tooManyFiles(host))
        case ETIMEDOUT:
            return (.timedOut, TransportErrors.timedOut(host))
        default:
            return (.connectionRefused, TransportErrors.failed(host))
        }
    }
}

extension EasyHandle {
    /// The SOCKS proxy's error, if that was the failure.
    var proxyError: CURLproxycode {
        CURLproxycode(rawValue: UInt32(truncatingIfNeeded: cc_get_long(raw, CURLINFO_PROXY_ERROR)))
    }
}

extension SessionError {
    /// Whether local files are missing or invalid, which is the same at every attempt.
    var isOfOwnFiles: Bool {
        [CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CLIENTCERT].contains {
            curlCode == Int($0.rawValue)
        }
    }
}
