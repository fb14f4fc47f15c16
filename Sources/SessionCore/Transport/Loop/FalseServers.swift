/// Remembers the servers that sent other bytes of a file than their response's fields named; every range of theirs is
/// compared from then on.
struct FalseServers: Sendable, Equatable {
    static let limit = 1_000

    private var origins: Set<String> = []

    /// Whether the server of a URL has been added.
    func contains(_ url: String) -> Bool { !origins.isEmpty && origins.contains(Self.origin(url)) }

    mutating func add(_ url: String) {
        if origins.count >= Self.limit { origins = [] }
        origins.insert(Self.origin(url))
    }

    private static func origin(_ url: String) -> String { (try? Origin(url)).map { "\($0)" } ?? url }
}
