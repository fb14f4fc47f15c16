/// Which client was the last to change each row and the limits of the run.
///
/// Nothing is stored while only one client sends commands.
struct LastHands: Sendable {
    private enum Subject: Hashable, Sendable {
        case row(UInt64)
        case limits, rates
    }

    /// The clients that had changed some rows last, without the first one.
    struct Earlier: Sendable {
        fileprivate var clients: [UInt64: UInt64] = [:]
    }

    private var clients: [Subject: UInt64] = [:]
    private var first: UInt64?

    /// Records what a client changes; returns what was recorded of the rows before.
    @discardableResult mutating func note(_ command: TransferCommand, by client: UInt64) -> Earlier {
        let subjects = Self.subjects(of: command)
        let earlier = earlier(of: subjects)
        note(subjects, by: client)
        return earlier
    }

    /// Records that a client changes a row by no command, such as its file; returns what was recorded before.
    mutating func take(_ id: UInt64, by client: UInt64) -> Earlier {
        let earlier = earlier(of: [.row(id)])
        note([.row(id)], by: client)
        return earlier
    }

    /// Takes back what was recorded, because the change of a row has failed; a later client's change stays.
    mutating func giveBack(_ id: UInt64, _ earlier: Earlier, by client: UInt64) {
        if clients[.row(id)] == client { clients[.row(id)] = earlier.clients[id] }
    }

    private func earlier(of subjects: [Subject]) -> Earlier {
        var earlier = Earlier()
        guard !clients.isEmpty else { return earlier }
        for subject in subjects { if case .row(let id) = subject { earlier.clients[id] = clients[subject] } }
        return earlier
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
