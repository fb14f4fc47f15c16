import SessionSupport

/// The identity that a request shows its server without a challenge: cookies, a signature, or a user name and password.
///
/// A value, made for each attempt.
struct RequestIdentity {
    let request: TransferRequest
    /// The request's options, completed by the session's; nil if neither has any.
    let options: SharedOptions?
    /// Whether a redirect led to another origin.
    let hasLeftOrigin: Bool

    /// Whether the options contain credentials or cookies.
    private var isNamed: Bool { options?.identifies == true }
    /// Whether the options contain a store of cookies.
    var keepsCookies: Bool { isNamed && options?.values.cookies != nil }

    /// Adds the cookies for the request's server, and the user name and password if they are sent without a challenge.
    ///
    /// The options' own go neither to a server that a redirect led to nor back to the first one afterwards: the
    /// redirecting server has chosen what that request does.
    ///
    /// - Parameters:
    ///   - authorization: the answer to an earlier challenge, which takes precedence.
    ///   - known: the credentials that servers were given so far.
    ///   - session: the fields of the session.
    func add(
        to fields: inout HeaderFields, _ authorization: inout String?, known: OriginCredentials,
        session: HeaderFields, time: @autoclosure () -> Int64
    ) throws(SessionError) {
        guard isNamed, let options = options?.values else {
            // Only its URL can name a user.
            guard ByteText.contains(UInt8(ascii: "@"), in: request.url) else { return }
            return addNamed(nil, to: fields, &authorization, session)
        }
        fields["Cookie"] = Self.cookies(for: request, from: options.cookies)
        if let signing = options.signing, let own = options.credentials {
            guard !hasLeftOrigin, fields["Authorization"] == nil else { return }
            let signature = AmazonSignature(scope: signing, credentials: own, time: time())
            for field in try signature.fields(for: request) { fields[field.name] = field.value }
            return
        }
        let source = known.isEmpty ? nil : (try? Origin(request.url)).flatMap { known.answerSource(for: $0) }
        if hasLeftOrigin, source == .options { authorization = nil }
        guard source == nil else { return }
        addNamed(options, to: fields, &authorization, session)
    }

    /// Sends a user name and password without a challenge if the scheme is Basic.
    ///
    /// A field of the request takes precedence, and a field of the session takes precedence over a URL's credentials.
    private func addNamed(
        _ options: RequestOptions?, to fields: HeaderFields, _ authorization: inout String?, _ session: HeaderFields
    ) {
        guard authorization == nil, fields["Authorization"] == nil,
            let (own, source) = Self.credentials(of: request, options, hasLeftOrigin: hasLeftOrigin),
            own.scheme == .basic, source == .options || session["Authorization"] == nil
        else { return }
        let offer = AuthenticationOffer(scheme: "Basic")
        authorization = HTTPCredentials(offer: offer, user: own.user, password: own.password)
            .field(for: request, count: 1, clientNonce: "")
    }

    /// The user name and password that libcurl shows by NTLM, which takes several messages on one connection; nil for
    /// any other scheme.
    var handshake: RequestCredentials? {
        guard isNamed, let own = Self.credentials(of: request, options?.values, hasLeftOrigin: hasLeftOrigin)?.0,
            own.scheme == .ntlm, request.headers["Authorization"] == nil
        else { return nil }
        return own
    }

    /// Returns the URL that is sent: for a signed request, with the path as it was signed.
    func sentURL() throws(SessionError) -> String {
        guard !hasLeftOrigin, let options, options.values.signing != nil, options.values.credentials != nil else {
            return request.url
        }
        return AmazonSignature.url(request.url)
    }

    /// Returns the cookies of a request: first the ones in the jar, then its own.
    static func cookies(for request: TransferRequest, from jar: (any CookieStore)?) -> String? {
        let own = request.headers["Cookie"]
        guard let kept = jar?.field(for: request.url) else { return own }
        return own.map { kept + "; " + $0 } ?? kept
    }

    /// Returns the user name and password a server may be shown, for the requested scheme: the options' own, which no
    /// redirect takes to another origin, otherwise the URL's, otherwise what the options have for the server that a
    /// redirect has led to; nil where a signature or a ticket replaces them.
    static func credentials(
        of request: TransferRequest, _ options: RequestOptions?, hasLeftOrigin: Bool
    ) -> (RequestCredentials, OriginCredentials.Source)? {
        guard options?.signing == nil else { return nil }
        if let own = options?.credentials, !hasLeftOrigin { return (own, .options) }
        guard var named = RequestCredentials(url: request.url) else {
            let found = hasLeftOrigin ? options?.hostCredentials?.credentials(for: request.url) : nil
            return found.map { ($0, .url) }
        }
        named.scheme = options?.urlScheme ?? options?.credentials?.scheme ?? .basic
        return named.scheme == .negotiate ? nil : (named, .url)
    }
}
