import CCurl
import Glibc
import SessionSupport

extension SessionError {
    /// Whether a server answered in plain http where TLS was to begin.
    package var isPlainAnswer: Bool { code == .badResponse && curlCode == Int(CURLE_SSL_CONNECT_ERROR.rawValue) }
}

/// What libcurl's result codes mean for a transfer: the one table that turns them into errors a person can act on.
enum CurlFailure {
    /// The error for a result other than CURLE_OK.
    ///
    /// `host` is the name the user knows the server by. With a proxy nobody else was connected to, and where nobody was it is
    /// the proxy that is in trouble. `words` are what libcurl says beside the code, which alone tells some failures of a peer
    /// from a connection that was lost.
    static func error(
        _ code: CURLcode, url: String, host: String, proxy: Proxy? = nil, proxyError: CURLproxycode = CURLPX_OK,
        isConnected: Bool = true, systemError: Int, words: String = ""
    ) -> SessionError {
        let isProxys =
            code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_PROXY
            || code == CURLE_OPERATION_TIMEDOUT && !isConnected
        let place = code == CURLE_COULDNT_CONNECT ? Self.place(host, url) : host
        let peer = isProxys ? proxy.map { "The proxy \($0)" } ?? place : host
        let (kind, sentence) =
            code == CURLE_PROXY
            ? socksFailure(proxyError, host: host, proxy: proxy)
            : unreadable(code, words, host: host, proxy: proxy)
                ?? describe(code, host: peer, systemError: systemError)
        return SessionError(
            kind, sentence, failingURL: url, curlCode: Int(code.rawValue),
            errno: systemError == 0 ? nil : Int32(truncatingIfNeeded: systemError))
    }

    /// What cannot be read of what a peer sent, where libcurl calls that a lost connection or a mistake of its caller.
    ///
    /// A body whose chunks break their rules is one that is cut there.
    private static func unreadable(
        _ code: CURLcode, _ words: String, host: String, proxy: Proxy?
    ) -> (SessionError.Code, String)? {
        switch code {
        case CURLE_RECV_ERROR where words.contains("response too large"):
            let name = proxy.map { "The proxy \($0)" } ?? "The proxy"
            return (.badResponse, "\(name) sent a header line of more than 16 KB")
        case CURLE_RECV_ERROR where words.hasPrefix("Too large response headers"):
            return (.badResponse, "\(proxy.map { "The proxy \($0)" } ?? host) sent more than 300 KB of header lines")
        case CURLE_RECV_ERROR where words.hasSuffix("in chunked-encoding"):
            return words.hasPrefix("Out of memory")
                ? (.badResponse, "\(host) sent a trailer field of more than 4 KB")
                : (.truncated, "\(host) sent a body whose chunks cannot be read")
        case CURLE_SSL_CONNECT_ERROR where plainAnswers.contains { words.contains($0) }:
            let peer = proxy == nil ? host : "The other side"
            return (.badResponse, "\(peer) speaks plain http there; write http:// in the URL")
        case CURLE_BAD_FUNCTION_ARGUMENT:
            return (.badResponse, "\(host) sent a header line that cannot be read")
        default: return nil
        }
    }

    /// What OpenSSL says of bytes that are no record of TLS.
    private static let plainAnswers = ["wrong version number", "http request", "packet length too long"]

    /// A server's name, with its port where that is not the usual one: nobody sees which one was refused otherwise.
    private static func place(_ host: String, _ url: String) -> String {
        guard let origin = try? Origin(url), origin.port != (origin.scheme == "https" ? 443 : 80) else { return host }
        return "\(host):\(origin.port)"
    }

    private static func describe(_ code: CURLcode, host: String, systemError: Int) -> (SessionError.Code, String) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return (.unknownHost, "The host name \(host) is not known; check its spelling and your network")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return (.unknownHost, "\(host) has a name that is not known; check its spelling and your network")
        case CURLE_INTERFACE_FAILED:
            return (.networkUnreachable, "The interface to connect from is not there")
        case CURLE_COULDNT_CONNECT:
            return connectFailure(host: host, systemError: systemError)
        case CURLE_OPERATION_TIMEDOUT:
            return (.timedOut, "\(host) did not answer in time")
        case CURLE_PARTIAL_FILE:
            return (.truncated, "\(host) closed the connection before the whole body had arrived")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND:
            return (.connectionLost, "The connection to \(host) was lost")
        case CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return (.connectionLost, "\(host) broke off the HTTP/2 stream")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return (.certificate, distrust(of: host, problem: nil))
        case CURLE_SSL_CACERT_BADFILE:
            return (.tls, "The file of authorities holds no certificate that can be read")
        case CURLE_SSL_CERTPROBLEM:
            return (.tls, "The certificate or the key for \(host) cannot be read, or they do not belong together")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_SHUTDOWN_FAILED:
            return (.tls, "No secure connection to \(host) could be made")
        case CURLE_SSL_CLIENTCERT:
            return (.tls, "\(host) wants a client certificate, or another one")
        case CURLE_UNSUPPORTED_PROTOCOL:
            // Schemes are refused before libcurl sees them, so this is an answer without a status line.
            return (.badResponse, "\(host) sent something that is not HTTP")
        case CURLE_URL_MALFORMAT:
            return (.invalidURL, "The URL cannot be read")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP_RETURNED_ERROR, CURLE_BAD_CONTENT_ENCODING, CURLE_CHUNK_FAILED,
            CURLE_RANGE_ERROR:
            return (.badResponse, "\(host) sent a response that breaks the rules of HTTP")
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR, CURLE_REMOTE_ACCESS_DENIED:
            return (.authenticationRequired, "\(host) refused what it was shown")
        case CURLE_FILESIZE_EXCEEDED:
            return (.bodyTooLarge, "The response of \(host) is larger than allowed")
        case CURLE_OUT_OF_MEMORY:
            return (.internal, "There is not enough memory for the transfer")
        default:
            // The remaining codes belong to other protocols or to options that are never set.
            return (.internal, "The transfer failed: \(String(cString: curl_easy_strerror(code)))")
        }
    }

    /// What a SOCKS proxy answered, or what went wrong on the way to its answer (RFC 1928, 6 and RFC 1929).
    private static func socksFailure(
        _ code: CURLproxycode, host: String, proxy: Proxy?
    ) -> (SessionError.Code, String) {
        let name = proxy.map { "The proxy \($0)" } ?? "The proxy"
        switch code {
        case CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_RECV_AUTH, CURLPX_IDENTD, CURLPX_IDENTD_DIFFER, CURLPX_GSSAPI,
            CURLPX_GSSAPI_PERMSG, CURLPX_GSSAPI_PROTECTION, CURLPX_LONG_USER, CURLPX_LONG_PASSWD:
            return (.authenticationRequired, "\(name) wants a name and a password, or other ones")
        case CURLPX_RESOLVE_HOST:
            return (.unknownHost, "The host name \(host) is not known here; with socks5h the proxy looks it up")
        case CURLPX_REPLY_CONNECTION_REFUSED:
            return (
                .connectionRefused, "\(host) refused the connection of the proxy; is the server running on that port?"
            )
        case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_TTL_EXPIRED:
            return (.networkUnreachable, "\(name) cannot reach \(host)")
        case CURLPX_REPLY_NOT_ALLOWED: return (.connectionRefused, "\(name) does not allow connections to \(host)")
        case CURLPX_BAD_VERSION, CURLPX_CLOSED:
            return (.connectionLost, "\(name) does not answer as a SOCKS proxy does")
        default: return (.connectionRefused, "\(name) could not connect to \(host)")
        }
    }

    /// The sentence for a certificate that was refused, with what is wrong with it where that is known.
    ///
    /// Whether it has expired is a question of the clock, which may be the one that is wrong.
    static func distrust(of host: String, problem: String?, now: Double = WallClock.now()) -> String {
        let sentence = "The certificate of \(host) cannot be trusted" + (problem.map { ": " + $0 } ?? "")
        guard problem == expired || problem == notYetValid else { return sentence }
        return sentence + ", as this machine's clock says \(UniversalTime(Int64(now)).date)"
    }

    // The numbers of OpenSSL's two results about dates, which are part of its interface.
    private static let expired = text(of: 10)
    private static let notYetValid = text(of: 9)
    private static func text(of verification: Int) -> String? {
        cc_verification_problem(verification).map { String(cString: $0) }
    }

    /// What is wrong with a certificate by libcurl's own verification, in words; nil where it has not said.
    ///
    /// libcurl looks at the name itself when the chain was good, before it asks for the chain's result.
    static func certificateProblem(verification: Int, result: CURLcode) -> String? {
        // A chain that nobody had to believe may be bad as well: the key is what it was refused for.
        if result == CURLE_SSL_PINNEDPUBKEYNOTMATCH { return "its key is none of those that are pinned" }
        if let problem = cc_verification_problem(verification) { return String(cString: problem) }
        return result == CURLE_PEER_FAILED_VERIFICATION ? "it is for another name" : nil
    }

    private static func connectFailure(host: String, systemError: Int) -> (SessionError.Code, String) {
        switch Int32(truncatingIfNeeded: systemError) {
        case ECONNREFUSED:
            return (.connectionRefused, "\(host) refused the connection; is the server running on that port?")
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL:
            return (.networkUnreachable, "The network of \(host) cannot be reached")
        case EMFILE, ENFILE:
            return (.internal, "No connection to \(host) could be made: too many files are open")
        case ETIMEDOUT:
            return (.timedOut, "\(host) did not answer in time")
        default:
            return (.connectionRefused, "No connection to \(host) could be made")
        }
    }
}

extension EasyHandle {
    /// What a SOCKS proxy refused, where that was the failure.
    var proxyError: CURLproxycode {
        CURLproxycode(rawValue: UInt32(truncatingIfNeeded: cc_get_long(raw, CURLINFO_PROXY_ERROR)))
    }
}

extension SessionError {
    /// Whether files of this side are missing or bad, which are the same at every attempt.
    var isOfOwnFiles: Bool {
        [CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CLIENTCERT].contains {
            curlCode == Int($0.rawValue)
        }
    }
}
