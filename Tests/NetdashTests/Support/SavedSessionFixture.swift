import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

/// A folder with a saved session, a server, and one run of the bridge after another on them.
struct SavedSessionFixture {
    let server = LoopbackServer()
    let folder: URL

    init() throws {
        try server.start()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("saved-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func end() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// What the next run would find after a kill at this moment.
    func stored(by bridge: LocalService) throws -> [StoredTransfer] {
        #expect(bridge.unsavedAfterWriting() == nil)
        return try StoredTransfer.saved(in: folder.path + "/state")
    }

    /// A bridge that has read the session and runs one transfer at a time.
    func run(
        _ observer: any TransferObserver, retries: Int = 0, _ configure: (inout Settings) -> Void = { _ in }
    ) throws -> LocalService {
        var settings = Settings()
        settings.directory = folder.path
        settings.maximumConcurrent = 1
        settings.retries = retries
        configure(&settings)
        let bridge = LocalService(
            settings: settings.forService, printsBodies: false, observer: observer, session: "test",
            folder: folder.path + "/state")
        try #require(bridge.refusal == nil)
        _ = bridge.begin()
        return bridge
    }
}

extension LocalService {
    /// Waits until every event that has arrived is handled.
    ///
    /// An operation of the queue would not do: the thread that schedules the events' delivery may not have done so.
    func waitForDelivery() {
        let isDelivered = DispatchSemaphore(value: 0)
        manager.afterDelivery { isDelivered.signal() }
        isDelivered.wait()
    }

    /// Does something while no event of a task is handled.
    func holdingEvents(_ body: () throws -> Void) throws {
        let (isHeld, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        manager.operationQueue.addOperation {
            isHeld.signal()
            goesOn.wait()
        }
        isHeld.wait()
        defer { goesOn.signal() }
        try body()
    }
}
