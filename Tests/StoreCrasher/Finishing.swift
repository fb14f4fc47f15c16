import Glibc
import SessionCore

/// Downloads a file and dies when the file has its name, before its end can be written down.
enum Finishing {
    static func run(store: String, url: String, folder: String, isStaged: Bool) async throws {
        var handlers = SessionHandlers()
        // The last closure before the end is written down.
        handlers.onMetrics = { _, _ in kill(getpid(), SIGKILL) }
        let manager = try StoreCrasher.manager(store: store, handlers)
        let request = TransferRequest(url: url)
        let task =
            if isStaged {
                try manager.downloadTask(
                    with: request, destination: { _, _ in URL(fileURLWithPath: folder + "/file") },
                    completionHandler: nil)
            } else {
                try manager.downloadTask(
                    with: request, options: TaskOptions(target: DownloadTarget(folder: folder, name: .fixed("file"))),
                    completionHandler: nil)
            }
        task.resume()
        _ = await task.completion()
    }
}
