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

    /// Recognises unparsable responses that libcurl reports as a lost connection or a caller's mistake.
    ///
    /// A body whose chunks cannot be parsed counts as truncated there.
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

    /// OpenSSL's messages about bytes that are no TLS record.
    private static let plainAnswers = ["wrong version number", "http request", "packet length too long"]

    /// Returns a server's name, with its port where that is not the default, because the message would otherwise not
    /// say which port refused.
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
            // Unknown schemes are refused before libcurl sees them, so this is a response without a status line.
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

    /// Describes a SOCKS proxy's refusal, or the failure to get its reply (RFC 1928, 6 and RFC 1929).
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

    /// Returns the message for a refused certificate, with the reason if known.
    ///
    /// An expiry is judged by this machine's clock, which may itself be wrong, so the message states its date.
    static func distrust(of host: String, problem: String?, now: Double = WallClock.now()) -> String {
        let sentence = "The certificate of \(host) cannot be trusted" + (problem.map { ": " + $0 } ?? "")
        guard problem == expired || problem == notYetValid else { return sentence }
        return sentence + ", as this machine's clock says \(UniversalTime(Int64(now)).date)"
    }

    // OpenSSL's two result numbers about dates are part of its interface.
    private static let expired = text(of: 10)
    private static let notYetValid = text(of: 9)
    private static func text(of verification: Int) -> String? {
        cc_verification_problem(verification).map { String(cString: $0) }
    }

    /// Describes a certificate's fault as libcurl verified it; nil where it reports none.
    ///
    /// libcurl checks the name itself if the chain was good, before it reads the chain's result.
    static func certificateProblem(verification: Int, result: CURLcode) -> String? {
        // A chain that did not have to be trusted may be bad too, but the key is why it was refused.
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
