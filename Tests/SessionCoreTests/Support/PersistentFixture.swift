import Dispatch
import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Runs of one persistent session, one after another, as a program's would be.
struct PersistentFixture: Sendable {
    let folder: TemporaryFolder
    let configuration: SessionConfiguration

    init(_ change: (inout SessionConfiguration) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        var configuration = SessionConfiguration.persistent(identifier: "test")
        configuration.storeFolder = folder.path + "/state"
        configuration.stagingFolder = folder.path + "/staging"
        configuration.maximumRetries = 0
        change(&configuration)
        self.configuration = configuration
    }

    var downloads: String { folder.path + "/downloads" }

    func target(_ name: String = "file") -> DownloadTarget {
        DownloadTarget(folder: downloads, name: .fixed(name))
    }

    func bytes(of name: String) -> [UInt8]? { folder.bytes(of: "downloads/\(name)") }

    /// Every name in the folder of downloads, sorted.
    func downloadNames() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: downloads).sorted() }

    /// Begins a run on the real engine.
    func manager(_ handlers: SessionHandlers = SessionHandlers()) -> SessionManager {
        quiet(SessionManager(configuration: configuration, handlers: handlers))
    }

    /// Begins a run on a scripted engine.
    func manager(_ engine: ScriptedEngine, _ handlers: SessionHandlers = SessionHandlers()) -> SessionManager {
        quiet(SessionManager(configuration: configuration, handlers: handlers) { _ in engine })
    }

    private func quiet(_ manager: SessionManager) -> SessionManager {
        manager.completionQueue = .global()
        manager.postsNotifications = false
        return manager
    }

    /// Waits until a task has received so many bytes.
    static func waitForReceived(_ count: Int64, _ task: SessionTask) async {
        for await event in task.events {
            if case .status(let status) = event, status.received >= count { return }
        }
        Issue.record("The task ended before it had received \(count) bytes")
    }

    /// All files of the store, as bytes.
    func storedBytes() -> [UInt8] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/state")) ?? []
        return names.flatMap { folder.bytes(of: "state/\($0)") ?? [] }
    }
}
