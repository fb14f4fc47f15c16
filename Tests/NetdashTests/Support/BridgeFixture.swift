import Foundation
import LoopbackServer

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// A bridge with a session of its own, a server to talk to, and a folder for what it saves.
struct BridgeFixture {
    let server = LoopbackServer()
    let observer: EffectsObserver
    let folder: URL
    let bridge: LocalService

    init(takesCommands: Bool = true, _ configure: (inout Settings) -> Void) throws {
        observer = EffectsObserver(takesCommands: takesCommands)
        try server.start()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var settings = Settings()
        settings.directory = folder.path
        configure(&settings)
        bridge = LocalService(settings: settings.forService, printsBodies: false, observer: observer)
    }

    /// To be called at the end of every test that uses it.
    func end() {
        _ = bridge.close()
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func job(_ kind: Job.Kind, _ path: String) -> Job { Job(kind: kind, url: server.url(path)) }
}

extension Job {
    /// Two downloads of one URL: a field, X-Task, tells the first from the second.
    static func two(of url: String) -> [Job] {
        ["1", "2"].map { number in
            var job = Job(kind: .download, url: url)
            job.headers.append(name: "X-Task", value: number)
            return job
        }
    }
}

extension LocalService {
    /// A bridge with one observer, for what interests that one.
    convenience init(
        settings: ServiceSettings, printsBodies: Bool, observer: any TransferObserver, session name: String? = nil,
        folder: String? = nil, found: (@Sendable ([RowSnapshot]) -> Void)? = nil
    ) {
        self.init(
            settings: settings, printsBodies: printsBodies, for: observer.interest, session: name, folder: folder,
            found: found)
        observe(observer)
    }

    /// A bridge whose rows a publisher brings to a dashboard.
    convenience init(publisher: RowPublisher) {
        self.init(settings: ServiceSettings(), printsBodies: false, observer: publisher.record)
        publisher.attach(self)
    }
}

/// Collects what the bridge reports, and waits for it.
final class EffectsObserver: TransferObserver {
    let interest: Interest
    private let condition = NSCondition()
    /// Guarded by `condition`.
    nonisolated(unsafe) private var collected: [TransferEvent] = []
    /// Guarded by `condition`.
    nonisolated(unsafe) private var removedIDs: [UInt64] = []
    /// What is held back until it is saved, and what was saved since.
    ///
    /// Guarded by `condition`.
    nonisolated(unsafe) private var savings: (begun: [Int], done: [Int]) = ([], [])

    init(showsRows: Bool = true, takesCommands: Bool = true) {
        interest = Interest(showsRows: showsRows, takesCommands: takesCommands)
    }

    var events: [TransferEvent] { condition.withLock { collected } }
    var removed: [UInt64] { condition.withLock { removedIDs } }
    var saving: [Int] { condition.withLock { savings.begun } }
    var saved: [Int] { condition.withLock { savings.done } }

    func receive(_ notice: TransferNotice) {
        condition.withLock {
            switch notice {
            case .event(let event): collected.append(event)
            case .moved, .changed, .backoffs, .limited, .bounded, .configured, .complaint, .resolved, .idle: break
            case .removed(let ids): removedIDs += ids
            case .saving(let number): savings.begun.append(number)
            case .saved(let number): savings.done.append(number)
            }
            condition.broadcast()
        }
    }

    /// Waits until the events are as wanted; false when that takes longer than twenty seconds.
    func wait(until isWanted: ([TransferEvent]) -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 20)
        return condition.withLock {
            while !isWanted(collected) {
                if !condition.wait(until: deadline) { return isWanted(collected) }
            }
            return true
        }
    }

    /// Waits until as much was saved as was held back for that.
    func waitUntilSaved() -> Bool { wait { _ in savings.begun == savings.done } }

    /// Waits until these rows have left the list.
    func waitForRemoved(_ ids: [UInt64]) -> Bool { wait { _ in Set(ids).isSubset(of: removedIDs) } }

    /// Waits until so many runs have ended.
    func waitForEnds(_ count: Int = 1) -> Bool {
        wait { events in events.filter(\.isEnd).count >= count }
    }
}

extension TransferEvent {
    /// Whether a run of the transfer ended.
    var isEnd: Bool {
        switch what {
        case .completed, .failed, .cancelled: true
        case .added, .started, .response, .progress, .paused, .resumed, .retrying, .restarted, .mirrorDropped,
            .mirrorSwitched, .notice:
            false
        }
    }

    /// The event's name in JSON.
    var name: String {
        let line = String(decoding: JSONEventFormatter().line(for: self), as: UTF8.self)
        return String(line.dropFirst(10).prefix { $0 != "\"" })
    }
}
