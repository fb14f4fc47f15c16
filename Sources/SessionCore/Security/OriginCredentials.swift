/// Which credentials go to which server: never to another one than they were given for.
struct OriginCredentials: Sendable {
    /// Refusals after which nobody is asked any more: a caller that always answers would try for ever.
    static let refusalLimit = 3

    private struct Entry: Sendable {
        var credentials: HTTPCredentials?
        var uses = 0
        var refusals = 0
    }

    private var entries: [Origin: Entry] = [:]

    /// Whether nothing may be shown to anybody.
    var isEmpty: Bool { entries.isEmpty }

    /// How often a server refused what was given.
    func refusals(by origin: Origin) -> Int { entries[origin]?.refusals ?? 0 }

    /// A server asks; if it was shown credentials, it has refused them.
    mutating func noteChallenge(from origin: Origin) {
        guard var entry = entries[origin], entry.credentials != nil else { return }
        entry.refusals += 1
        entry.credentials = nil
        entries[origin] = entry
    }

    /// Has credentials shown to one server from now on.
    mutating func give(_ credentials: HTTPCredentials, to origin: Origin) {
        entries[origin, default: Entry()].credentials = credentials
        entries[origin, default: Entry()].uses = 0
    }

    /// The `Authorization` field of a request; nil when its server was given nothing.
    mutating func field(for request: TransferRequest) -> String? {
        guard !isEmpty, let origin = try? Origin(request.url), var entry = entries[origin],
            let credentials = entry.credentials
        else { return nil }
        entry.uses += 1
        entries[origin] = entry
        return credentials.field(for: request, count: entry.uses)
    }
}
