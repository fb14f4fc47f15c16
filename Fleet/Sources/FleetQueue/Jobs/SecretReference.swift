/// The place of a secret, which the worker reads: the queue holds no secret itself.
package enum SecretReference: Equatable, Sendable {
    case environment(String)
    case file(String)
    case command(String)

    /// Reads `@env:NAME`, `@file:PATH` or `@cmd:COMMAND`; nil for any other text.
    package init?(_ text: some StringProtocol) {
        for (prefix, make) in Self.forms where text.hasPrefix(prefix) {
            let value = String(text.dropFirst(prefix.count))
            guard !value.isEmpty else { return nil }
            self = make(value)
            return
        }
        return nil
    }

    /// Whether a text has a reference in it.
    static func isPart(of text: String) -> Bool { forms.contains { text.contains($0.0) } }

    private static let forms: [(String, @Sendable (String) -> SecretReference)] = [
        ("@env:", { .environment($0) }), ("@file:", { .file($0) }), ("@cmd:", { .command($0) }),
    ]
}
