import AriaRPC
import Dashboard

/// How aria2's interface is offered.
struct RPCSettings: Sendable, Equatable {
    /// Where it listens; nil while it does not.
    var address: RPCAddress?
    /// The token that its clients need; nil for none.
    var secret: SecretText?
    /// The origins of the web pages that may use it; `*` for all.
    var origins: Set<String> = []
    /// The file with a certificate and its key; nil for plain HTTP.
    var certificate: String?
    /// aria2's options for all tasks.
    var options: [String: String] = [:]

    /// Whether the command line has the token itself, and not where it is.
    var hasPlainSecret: Bool { secret.map { !$0.isReference } ?? false }
}

extension RPCAddress {
    /// Whether a word behind the option is its address, right or wrong.
    static func mayBe(_ word: String) -> Bool {
        RPCAddress(word) != nil
            || !word.hasPrefix("-") && !word.contains("://") && ProgramCommand(rawValue: word) == nil
    }
}

extension OptionValue where Value == RPCAddress {
    static let rpcAddress = Self(name: "[ADDRESS]") { (text, label) throws(UsageError) in
        guard !text.isEmpty else { return .usual }
        guard let address = RPCAddress(text) else { throw UsageError(argument: label, RPCUsage.address(text)) }
        return address
    }
}

extension OptionValue where Value == SecretText {
    static let rpcSecret = Self(name: "TOKEN") { (text, label) throws(UsageError) in
        let secret = SecretText(text)
        guard !text.isEmpty else { throw UsageError(argument: label, RPCUsage.emptySecret) }
        if case .command = secret { throw UsageError(argument: label, RPCUsage.commandSecret) }
        return secret
    }
}

extension OptionValue where Value == String {
    /// A page's scheme, host and port.
    static let origin = Self(name: "ORIGIN") { (text, label) throws(UsageError) in
        let isOrigin = text.hasPrefix("http://") || text.hasPrefix("https://")
        guard text == "*" || text == "null" || isOrigin && text.split(separator: "/").count == 2 && !text.hasSuffix("/")
        else { throw UsageError(argument: label, RPCUsage.origin(text)) }
        return text
    }
}
