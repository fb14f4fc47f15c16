/// Servers that have sent other bytes of a file than the fields of their answers named: every range of theirs is compared
/// from then on.
struct FalseServers: Sendable, Equatable {
    /// So many are remembered at most.
    static let limit = 1_000

    private var origins: Set<String> = []

    /// Whether a URL's server is one of them.
    func contains(_ url: String) -> Bool { !origins.isEmpty && origins.contains(Self.origin(url)) }

    mutating func add(_ url: String) {
        if origins.count >= Self.limit { origins = [] }
        origins.insert(Self.origin(url))
    }

    private static func origin(_ url: String) -> String { (try? Origin(url)).map { "\($0)" } ?? url }
}
