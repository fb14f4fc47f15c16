import Glibc
import SessionCore

/// Downloads a file whose destination is asked for at the end, and is killed in the middle: while the download runs, or
/// as soon as it is paused.
enum Staging {
    static func run(store: String, url: String, pausesFirst: Bool) async throws {
        let manager = try StoreCrasher.manager(store: store)
        let task = try manager.downloadTask(
            with: TransferRequest(url: url), destination: { _, _ in nil }, completionHandler: nil)
        task.resume()
        for await event in task.events {
            guard case .status(let status) = event, status.received >= 2_000_000 else { continue }
            guard pausesFirst else { break }
            if status.phase == .paused { break }
            task.suspend()
        }
        if pausesFirst { try await manager.store.flush() }
        kill(getpid(), SIGKILL)
    }
}
