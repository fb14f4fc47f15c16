import CCurl
import SessionSupport

/// A libcurl handle for one attempt.
///
/// It is never reused: a reset handle is not the same as a new one. Every option's result is checked.
///
/// Confined to the transfer loop.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private var headers: HeaderList?
    private var parsedURL: URLHandle?
    private var trustHook: OpaquePointer?
    private var authorities: Authorities?
    private var secureSessions: SecureSessions?
    /// The buffer in which libcurl gives more details of a failure than its code does.
    private let failureText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var lists: [StringList] = []

    /// Whether its connection was made and the request began to be sent.
    var hasSentRequest: Bool { cc_get_offset(raw, CURLINFO_PRETRANSFER_TIME_T) > 0 }

    init() throws(SessionError) {
        failureText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard let raw = curl_easy_init() else {
            failureText.deallocate()
            throw SessionError(.internal, EngineErrors.noHandle)
        }
        self.raw = raw
    }

    deinit {
        curl_easy_cleanup(raw)
        cc_trust_hook_free(trustHook)
        failureText.deallocate()
    }

    /// libcurl's message about a failure, for its developers; empty without any.
    var failureWords: String { String(cString: failureText) }

    /// Whether a server has ended a TLS connection because of this side's certificate: a missing one, or the one that
    /// was shown.
    func wasRefused(showingCertificate isShown: Bool) -> Bool {
        guard trustHook != nil || authorities != nil else { return false }
        let text = failureWords
        if text.contains(LibraryWords.certificateRequired) { return true }
        return isShown && LibraryWords.certificateRefusals.contains { text.contains($0) }
    }

    /// Whether a handshake failed because both sides speak other versions of TLS.
    func lacksCommonVersion(_ result: CURLcode) -> Bool {
        guard result == CURLE_SSL_CONNECT_ERROR else { return false }
        let text = failureWords
        return LibraryWords.otherVersions.contains { text.contains($0) }
    }

    /// Sets the options of every attempt: its URL and the callbacks.
    ///
    /// `context` is passed to the callbacks and must outlive the handle's time in the multi handle.
    func configureTransfer(to url: String, context: UnsafeMutableRawPointer) throws(SessionError) {
        try check(cc_set_common(raw))
        try check(cc_set_pointer(raw, CURLOPT_ERRORBUFFER, failureText))
        try configureURL(url)
        try configureCallbacks(context)
    }

    /// Sets the message to send; a body of unknown length is sent in chunks.
    ///
    /// `context` is passed to the callbacks of the body.
    func configureMessage(
        _ method: String, _ headers: HeaderList, _ body: (any BodySource)?, context: UnsafeMutableRawPointer
    ) throws(SessionError) {
        if let body {
            try check(cc_set_long(raw, CURLOPT_UPLOAD, 1))
            try check(cc_set_offset(raw, CURLOPT_INFILESIZE_LARGE, body.length ?? -1))
            try check(cc_set_long(raw, CURLOPT_UPLOAD_BUFFERSIZE, 512 << 10))
            if method != "PUT" { try check(cc_set_string(raw, CURLOPT_CUSTOMREQUEST, method)) }
            try configureBodyCallbacks(context)
        } else if method == "HEAD" {
            try check(cc_set_long(raw, CURLOPT_NOBODY, 1))
        } else if method != "GET" {
            try check(cc_set_string(raw, CURLOPT_CUSTOMREQUEST, method))
        }
        self.headers = headers
        if let list = headers.raw { try check(cc_set_list(raw, CURLOPT_HTTPHEADER, list)) }
        if headers.closesConnection { try check(cc_set_long(raw, CURLOPT_FORBID_REUSE, 1)) }
    }

    /// Sets the protocol version and the limits of the connection.
    func configureConnection(
        allowsHTTP2: Bool, timeoutMilliseconds: Int, receiveBufferSize: Int
    ) throws(SessionError) {
        let version = allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        try check(cc_set_long(raw, CURLOPT_HTTP_VERSION, Int(version)))
        try check(cc_set_long(raw, CURLOPT_CONNECTTIMEOUT_MS, timeoutMilliseconds))
        // CURLOPT_TIMEOUT is never set, because it counts paused time. `StallWatch` detects stalls.
        try check(cc_set_long(raw, CURLOPT_BUFFERSIZE, receiveBufferSize))
    }

    /// Sets the certificate authorities of an encrypted connection, and the TLS sessions its handshake may resume.
    ///
    /// Without a review libcurl's own rules judge the server's chain.
    func configureSecurity(
        _ authorities: Authorities, _ sessions: SecureSessions?, _ trust: TrustReview?,
        _ connection: ConnectionSettings?
    ) throws(SessionError) {
        if let sessions {
            secureSessions = sessions
            try check(cc_set_pointer(raw, CURLOPT_SHARE, sessions.raw))
        }
        try configureTrust(trust, authorities, poolKey: connection?.poolKey)
        if connection?.clientCertificate == nil {
            cc_trust_hook_answer_requests(trustHook, certificateRequestCallback)
        }
        // The connection to such a proxy is verified first, by the authorities alone.
        if connection?.proxy?.scheme == .https { cc_trust_hook_skip_first(trustHook) }
    }

    /// Sets the certificate authorities of the name service of a request without TLS.
    func trustNameService(by authorities: Authorities) throws(SessionError) {
        self.authorities = authorities
        try check(cc_set_authorities(raw, authorities.raw))
    }

    /// Gives the request a new connection that is not reused afterwards.
    func isolate() {
        // libcurl cannot refuse these two flags.
        _ = cc_set_long(raw, CURLOPT_FRESH_CONNECT, 1)
        _ = cc_set_long(raw, CURLOPT_FORBID_REUSE, 1)
    }

    /// Sets the URL as text and in parsed form, escaped as by ``URLParser/escaped(_:)`` and without user name and
    /// password, which are sent as a field or not at all.
    ///
    /// libcurl reassembles a URL it has parsed itself, which costs more than parsing. The URL is parsed with libcurl's
    /// own rules, and one that cannot be parsed is left for libcurl to refuse.
    private func configureURL(_ url: String) throws(SessionError) {
        let text = URLParser.withoutUserInfo(URLParser.escaped(url))
        // Passing `text` as an argument would copy it first.
        try check(text.withCString { cc_set_string(raw, CURLOPT_URL, $0) })
        let flags = Int32(CURLU_NON_SUPPORT_SCHEME) | Int32(CURLU_GUESS_SCHEME)
        guard let url = URLHandle(), url.set(CURLUPART_URL, text, flags: flags) == CURLUE_OK else { return }
        guard url.convertHost(of: text) else { throw ParsedURL.invalidHost(text) }
        // libcurl 7.88 loses the zone of an address when it copies the parsed URL.
        if ByteText.contains(UInt8(ascii: "["), in: text), url.get(CURLUPART_ZONEID) != nil { return }
        try check(url.serve(raw))
        parsedURL = consume url
    }

    /// Installs the review that is called during the handshake.
    ///
    /// libcurl reuses connections without another review and distinguishes them only by their settings. The authorities
    /// are set for each connection, so CURLOPT_CAPATH is free to hold a text that differs between rules.
    private func configureTrust(
        _ trust: TrustReview?, _ authorities: Authorities, poolKey: String?
    ) throws(SessionError) {
        self.authorities = authorities
        try check(cc_set_authorities(raw, authorities.raw))
        guard let trust else {
            if let poolKey { try check(cc_set_string(raw, CURLOPT_CAPATH, TrustReview.nowhere + poolKey)) }
            return
        }
        try check(cc_set_string(raw, CURLOPT_CAPATH, trust.poolKey + (poolKey.map { "\n" + $0 } ?? "")))
        try check(cc_set_long(raw, CURLOPT_SSL_VERIFYHOST, trust.checksHost ? 2 : 0))
        let context = Unmanaged.passUnretained(trust).toOpaque()
        guard let hook = cc_trust_hook_create(trust.host, authorities.raw, trustReviewCallback, context) else {
            throw SessionError(.internal, EngineErrors.noSecureMemory)
        }
        trustHook = hook
        try check(cc_set_trust_hook(raw, hook))
    }

    private func configureCallbacks(_ context: UnsafeMutableRawPointer) throws(SessionError) {
        try check(cc_set_pointer(raw, CURLOPT_PRIVATE, context))
        try check(cc_set_socket_made_callback(raw, attemptSocketCallback))
        try check(cc_set_pointer(raw, CURLOPT_SOCKOPTDATA, context))
        try check(cc_set_data_callback(raw, CURLOPT_HEADERFUNCTION, attemptHeaderCallback))
        try check(cc_set_pointer(raw, CURLOPT_HEADERDATA, context))
        try check(cc_set_data_callback(raw, CURLOPT_WRITEFUNCTION, attemptWriteCallback))
        try check(cc_set_pointer(raw, CURLOPT_WRITEDATA, context))
    }

    private func configureBodyCallbacks(_ context: UnsafeMutableRawPointer) throws(SessionError) {
        try check(cc_set_data_callback(raw, CURLOPT_READFUNCTION, attemptReadCallback))
        try check(cc_set_pointer(raw, CURLOPT_READDATA, context))
        try check(cc_set_seek_callback(raw, attemptSeekCallback))
        try check(cc_set_pointer(raw, CURLOPT_SEEKDATA, context))
    }

    /// Has a callback close the sockets of connections; its context must outlive them, because they may be kept for
    /// other attempts.
    func tellOfClosedSockets(
        _ callback: @escaping cc_socket_closed_callback, context: UnsafeMutableRawPointer
    ) throws(SessionError) {
        try check(cc_set_socket_closed_callback(raw, callback, context))
    }

    /// Sets a list, which the handle keeps alive.
    func set(_ option: CURLoption, _ list: StringList) throws(SessionError) {
        lists.append(list)
        try check(cc_set_list(raw, option, list.raw))
    }

    func check(_ result: CURLcode) throws(SessionError) {
        guard result == CURLE_OK else {
            throw SessionError(
                .internal, EngineErrors.refused(String(cString: curl_easy_strerror(result))),
                curlCode: Int(result.rawValue))
        }
    }
}

extension SecureConnection {
    /// Describes the TLS of a handle's connection; nil without TLS, or after the handle has returned the connection.
    init?(of handle: EasyHandle) {
        var info = cc_tls_facts()
        guard cc_get_tls_facts(handle.raw, &info) else { return nil }
        self.init(
            version: Self.text(&info.version), cipher: Self.text(&info.cipher), subject: Self.text(&info.subject),
            issuer: Self.text(&info.issuer), expiry: info.expiry >= 0 ? info.expiry : nil)
    }

    private static func text(_ characters: inout some BitwiseCopyable) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// The TLS sessions of a loop's connections: a server that resumes one proves its identity by that, without a
/// certificate.
///
/// A new handle knows none, so each connection would begin with a full handshake. libcurl resumes a session only if
/// host, port and every trust setting are the same, including CURLOPT_CAPATH, which identifies our rules. Refused
/// connections are not stored. Confined to the transfer loop.
final class SecureSessions {
    /// libcurl's share; the handles that use it keep this object alive.
    let raw: UnsafeMutableRawPointer

    init?() {
        guard let raw = cc_session_store_create() else { return nil }
        self.raw = raw
    }

    // The clean-up would fail while a handle still uses the share; each keeps the object until it is cleaned up itself.
    deinit { _ = curl_share_cleanup(raw) }
}

@available(*, unavailable)
extension SecureSessions: Sendable {}

/// Watches for a server's close_notify (RFC 8446, 6.1).
///
/// Without another end mark, only a close_notify shows that a body is complete.
final class Closing {
    private let raw: OpaquePointer

    /// Watches the connection that a handle uses now; nil where that is not possible.
    init?(of handle: EasyHandle) {
        guard let raw = cc_farewell_await(handle.raw) else { return nil }
        self.raw = raw
    }

    deinit { cc_farewell_free(raw) }

    /// Whether the close_notify has arrived.
    var came: Bool { cc_farewell_came(raw) }
}

@available(*, unavailable)
extension Closing: Sendable {}
