import CCurl
import SessionSupport

/// One libcurl handle for one attempt.
///
/// It is never used twice: a reset handle is not a fresh one.
///
/// Confined to the transfer loop. Every option's result is checked.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private var headers: HeaderList?
    private var parsedURL: URLHandle?
    private var trustHook: OpaquePointer?
    private var authorities: Authorities?
    private var secureSessions: SecureSessions?
    /// Where libcurl says more of a failure than its code does.
    private let failureText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var lists: [StringList] = []

    /// Whether its connection stood and the request began to go out.
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

    /// What libcurl says of a failure, for its developers; empty where it says nothing.
    var failureWords: String { String(cString: failureText) }

    /// Whether a server has ended a secure connection because of the certificate of this side: that none was shown, or the
    /// one that was.
    func wasRefused(showingCertificate isShown: Bool) -> Bool {
        guard trustHook != nil || authorities != nil else { return false }
        let text = failureWords
        if text.contains(LibraryWords.certificateRequired) { return true }
        return isShown && LibraryWords.certificateRefusals.contains { text.contains($0) }
    }

    /// Sets what every attempt has: its URL, and who hears of what happens.
    ///
    /// `context` reaches the callbacks and must outlive the handle's time in the multi handle.
    func configureTransfer(to url: String, context: UnsafeMutableRawPointer) throws(SessionError) {
        try check(cc_set_common(raw))
        try check(cc_set_pointer(raw, CURLOPT_ERRORBUFFER, failureText))
        try configureURL(url)
        try configureCallbacks(context)
    }

    /// Sets what is sent; a body of unknown length goes out in chunks.
    ///
    /// `context` reaches the callbacks of the body.
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

    /// Sets which protocol is spoken, and the limits of the connection.
    func configureConnection(
        allowsHTTP2: Bool, timeoutMilliseconds: Int, receiveBufferSize: Int
    ) throws(SessionError) {
        let version = allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        try check(cc_set_long(raw, CURLOPT_HTTP_VERSION, Int(version)))
        try check(cc_set_long(raw, CURLOPT_CONNECTTIMEOUT_MS, timeoutMilliseconds))
        // Never CURLOPT_TIMEOUT: it counts paused time. A stall is noticed by StallWatch.
        try check(cc_set_long(raw, CURLOPT_BUFFERSIZE, receiveBufferSize))
    }

    /// Sets the authorities of an encrypted connection, and the TLS sessions that its handshake may resume.
    ///
    /// Without a review the server's chain is left to libcurl's own rules.
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
        // The connection to such a proxy is judged before, by the authorities alone.
        if connection?.proxy?.scheme == .https { cc_trust_hook_skip_first(trustHook) }
    }

    /// Gives the request a connection that nobody has used, and that nobody uses afterwards.
    func isolate() {
        // Flags, which libcurl cannot refuse.
        _ = cc_set_long(raw, CURLOPT_FRESH_CONNECT, 1)
        _ = cc_set_long(raw, CURLOPT_FORBID_REUSE, 1)
    }

    /// Hands the URL over as text and parsed, as ``URLParser/escaped(_:)`` has it and without a name and a password, which go
    /// out as a field or not at all.
    ///
    /// libcurl puts one that it has parsed itself together again, which costs more than parsing it does. It is parsed as
    /// libcurl would do it, and what cannot be parsed is left for libcurl to refuse.
    private func configureURL(_ url: String) throws(SessionError) {
        let text = URLParser.withoutUserInfo(URLParser.escaped(url))
        // Not passed as an argument, for which the text would be copied first.
        try check(text.withCString { cc_set_string(raw, CURLOPT_URL, $0) })
        let flags = Int32(CURLU_NON_SUPPORT_SCHEME) | Int32(CURLU_GUESS_SCHEME)
        guard let url = URLHandle(), url.set(CURLUPART_URL, text, flags: flags) == CURLUE_OK else { return }
        guard url.convertHost(of: text) else { throw ParsedURL.invalidHost(text) }
        // libcurl 7.88 forgets the zone of an address when it copies what was parsed.
        if ByteText.contains(UInt8(ascii: "["), in: text), url.get(CURLUPART_ZONEID) != nil { return }
        try check(url.serve(raw))
        parsedURL = consume url
    }

    /// The review is asked during the handshake.
    ///
    /// libcurl reuses connections without asking anybody again and tells them apart by their settings only. The authorities
    /// are given to it for each connection, so the folder it would look for them in is free to be every rule's own.
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

    /// Has the sockets of connections closed by a callback, with a context that outlives them: they may be kept for others.
    func tellOfClosedSockets(
        _ callback: @escaping cc_socket_closed_callback, context: UnsafeMutableRawPointer
    ) throws(SessionError) {
        try check(cc_set_socket_closed_callback(raw, callback, context))
    }

    /// Sets a list, which stays as long as the handle.
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
    /// What a handle's connection is protected by; nil for one that is not, or that the handle has given back.
    init?(of handle: EasyHandle) {
        var facts = cc_tls_facts()
        guard cc_get_tls_facts(handle.raw, &facts) else { return nil }
        self.init(
            version: Self.text(&facts.version), cipher: Self.text(&facts.cipher), subject: Self.text(&facts.subject),
            issuer: Self.text(&facts.issuer), expiry: facts.expiry >= 0 ? facts.expiry : nil)
    }

    /// The text in an array of characters that ends in a zero.
    private static func text(_ characters: inout some BitwiseCopyable) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// The TLS sessions of a loop's connections: a server that knows one proves by it who it is, and shows no certificate.
///
/// A fresh handle knows none, so that each connection would begin with a whole handshake. libcurl takes one up again only
/// where host, port and every setting of trust are the same, the folder of authorities included, which stands for a rule of
/// ours. Nothing comes into it that was refused. Confined to the transfer loop.
final class SecureSessions {
    /// libcurl's share; its handles keep this object.
    let raw: UnsafeMutableRawPointer

    init?() {
        guard let raw = cc_session_store_create() else { return nil }
        self.raw = raw
    }

    // Handles that still had it would make this fail; each keeps the object until it is cleaned up.
    deinit { _ = curl_share_cleanup(raw) }
}

@available(*, unavailable)
extension SecureSessions: Sendable {}

/// Listens for a server's word that its secure connection ends (RFC 8446, 6.1).
///
/// Only then is a body whole that nothing else ends.
final class Closing {
    private let raw: OpaquePointer

    /// Listens on the connection that a handle uses now; nil where nothing could be heard.
    init?(of handle: EasyHandle) {
        guard let raw = cc_farewell_await(handle.raw) else { return nil }
        self.raw = raw
    }

    deinit { cc_farewell_free(raw) }

    /// Whether the server has said it.
    var came: Bool { cc_farewell_came(raw) }
}

@available(*, unavailable)
extension Closing: Sendable {}
