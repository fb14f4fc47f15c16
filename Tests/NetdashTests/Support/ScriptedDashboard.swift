import DashboardTestSupport
import DashboardView
import Glibc
import SessionSupport

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// The dashboard over a service without transfers: keys go in, and screens come out.
///
/// Model, effects, publisher and view are the program's; there is no engine, no network and no terminal.
final class ScriptedDashboard {
    private(set) var model = Model()
    let service: ScriptedService
    private let mailbox: Mailbox<Message>
    private let publisher: RowPublisher
    private let runner: EffectRunner

    init(rows: [RowSnapshot], size: Size = Size(columns: 120, rows: 36)) throws {
        service = ScriptedService()
        mailbox = try Mailbox<Message>()
        publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 60, announcesEnd: false, log: nil)
        runner = EffectRunner(service: service, publisher: publisher, patience: 20_000)
        publisher.attach(service)
        send(.resized(size))
        send(.clock(1_000))
        service.change(rows, notifier: rows.map { .changed($0.id) })
    }

    /// What a terminal would show.
    var screen: String { GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities())) }

    /// Takes a message that does not come from the service.
    func receive(_ message: Message) { send(message) }

    /// Types characters and keys.
    func press(_ characters: String, _ keys: KeyPress...) {
        for key in characters.map(KeyPress.character) + keys { send(.key(key)) }
    }

    /// Reads what comes from the service until the screen is as wanted; false when that takes longer than twenty seconds.
    func wait(until isWanted: (ScriptedDashboard) -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            for message in mailbox.drain() { send(message) }
            if isWanted(self) { return true }
            var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) >= 0 || errno == EINTR else { return false }
        }
        return false
    }

    private func send(_ message: Message) {
        for effect in update(&model, message) {
            for answer in runner.perform(effect) { send(answer) }
        }
        publisher.show(model.drawnRows)
    }
}
