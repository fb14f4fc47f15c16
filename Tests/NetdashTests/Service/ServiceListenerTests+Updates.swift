import SessionSupport
import Testing

@testable import ServiceWire
@testable import TransferService

/// When updates are made and sent.
extension ServiceListenerTests {
    /// Asks for updates until one has rows, and returns these.
    private static func nextRows(of subscription: any Subscription, _ wakes: Monitor<Int>) -> [RowSnapshot] {
        var seen = 0
        while true {
            subscription.askForNext()
            wakes.wait { $0 > seen ? () : nil }
            seen = wakes.withLock { $0 }
            let rows = subscription.take().rows
            if !rows.isEmpty { return rows }
        }
    }

    @Test("Every client gets what changes, once it has asked for it")
    func updates() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: Array(Self.rows.prefix(3)))
        let listener = try Self.listen(service, folder)
        defer { listener.close() }
        for _ in 0..<2 {
            let client = try Self.connect(folder)
            let wakes = Monitor(0)
            let subscription = client.subscribe(Interest(showsRows: true)) { wakes.change { $0 += 1 } }
            // Subscriptions are there when a question behind them is answered.
            _ = client.counts
            service.change(state: .paused, of: 2)
            #expect(Self.nextRows(of: subscription, wakes).map(\.state) == [.paused])
            client.close()
        }
    }

    @Test("While a service ends, its clients hear no more of its rows, which it stops, but of everything else")
    func ending() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: Array(Self.rows.prefix(3)))
        let listener = try Self.listen(service, folder)
        defer { listener.close() }
        let client = try Self.connect(folder)
        let wakes = Monitor(0)
        let subscription = client.subscribe(Interest(showsRows: true)) { wakes.change { $0 += 1 } }
        subscription.askForNext()
        _ = client.counts
        listener.fallSilent()
        service.change(Array(Self.rows.prefix(3)), notifier: [.changed(2), .moved(3), .complaint("full disk")])
        var (seen, told) = (0, TransferUpdate())
        while !told.notices.contains(.complaint("full disk")) {
            wakes.wait { $0 > seen ? () : nil }
            seen = wakes.withLock { $0 }
            let update = subscription.take()
            told.rows += update.rows
            told.figures += update.figures
            told.notices += update.notices
        }
        #expect(told.rows.isEmpty && told.figures.isEmpty)
        client.close()
    }

    @Test("No update is made between an answer and the request for the next one, so none takes a row back")
    func updateInTurn() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: Array(Self.rows.prefix(3)))
        let listener = try Self.listen(service, folder)
        defer { listener.close() }
        let client = try Self.connect(folder)
        let wakes = Monitor(0)
        let subscription = client.subscribe(Interest(showsRows: true)) { wakes.change { $0 += 1 } }
        _ = client.counts
        for state in [RowState.paused, .running, .failed] {
            service.change(state: state == .failed ? .done : .queued, of: 2)
            // It is answered after the news, in whose place an update could be on its way.
            _ = client.counts
            service.change(state: state, of: 2)
            #expect(client.snapshots(of: [2]).map(\.state) == [state])
            #expect(subscription.take().rows.isEmpty)
            #expect(Self.nextRows(of: subscription, wakes).map(\.state) == [state])
        }
        client.close()
    }
}
