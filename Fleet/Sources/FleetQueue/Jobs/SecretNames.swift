/// Names of query parameters and header fields that carry secrets.
package enum SecretNames {
    /// Returns whether a query parameter of this name carries a secret, as in links with a signature.
    package static func isSecretParameter(_ name: String) -> Bool {
        let plain = name.lowercased()
        return exactParameters.contains(plain) || parts.contains { plain.contains($0) }
    }

    /// Returns whether a header field of this name carries a secret.
    package static func isSecretField(_ name: String) -> Bool {
        let plain = name.lowercased()
        return exactFields.contains(plain) || parts.contains { plain.contains($0) }
    }

    private static let parts = [
        "token", "secret", "passw", "signature", "credential", "apikey", "api_key", "api-key", "accesskey", "jwt",
    ]
    private static let exactParameters: Set<String> = ["key", "sig", "auth", "sid", "pwd", "session", "code", "hmac"]
    private static let exactFields: Set<String> = ["authorization", "proxy-authorization", "cookie", "x-auth"]
}
