/// Which client was the last to change each row and the limits of the run.
///
/// Nothing is stored while only one client sends commands.
struct LastHands: Sendable {
    private enum Subject: Hashable, Sendable {
        case row(UInt64)
        case limits, rates
    }

    /// The client that had changed a row last; nil for the first one, or none.
    struct Earlier: Sendable {
        fileprivate let client: UInt64?
    }

    private var clients: [Subject: UInt64] = [:]
    private var first: UInt64?

    /// Records what a client changes.
    mutating func note(_ command: TransferCommand, by client: UInt64) {
        note(Self.subjects(of: command), by: client)
    }

    /// Records that a client changes a row by no command, such as its file; returns what was recorded before.
    mutating func take(_ id: UInt64, by client: UInt64) -> Earlier {
        let earlier = Earlier(client: clients[.row(id)])
        note([.row(id)], by: client)
        return earlier
    }

    /// Takes back what ``take(_:by:)`` has recorded, because the change has failed; a later client's change stays.
    mutating func giveBack(_ id: UInt64, _ earlier: Earlier, by client: UInt64) {
        if clients[.row(id)] == client { clients[.row(id)] = earlier.client }
    }

    private mutating func note(_ subjects: [Subject], by client: UInt64) {
        if first == nil { first = client }
        guard client != first || !clients.isEmpty else { return }
        for subject in subjects { clients[subject] = client }
    }

    /// The rows of a command that another client has changed last; 0 for the limits of the run.
    func others(than client: UInt64, in command: TransferCommand) -> Set<UInt64> {
        others(than: client, in: Self.subjects(of: command))
    }

    /// The rows among these that another client has changed last.
    func others(than client: UInt64, in ids: [UInt64]) -> Set<UInt64> {
        others(than: client, in: ids.map { .row($0) })
    }

    private func others(than client: UInt64, in subjects: [Subject]) -> Set<UInt64> {
        guard !clients.isEmpty else { return [] }
        var ids: Set<UInt64> = []
        for subject in subjects where clients[subject].map({ $0 != client }) ?? false {
            if case .row(let id) = subject { ids.insert(id) } else { ids.insert(0) }
        }
        return ids
    }

    mutating func forget(_ id: UInt64) {
        if !clients.isEmpty { clients[.row(id)] = nil }
    }

    private static func subjects(of command: TransferCommand) -> [Subject] {
        switch command {
        case .setLimits: [.limits]
        case .setRates, .setDownloadRate: [.rates]
        default: command.rows.map { .row($0) }
        }
    }
}
