import CCurl

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
