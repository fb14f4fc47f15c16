import SessionCore

/// Downloads a file without a store, and says how far it is, until it is killed.
enum Downloading {
    static func run(url: String, folder: String, isStaged: Bool, connections: Int = 1) async throws {
        var configuration = SessionConfiguration()
        configuration.stagingFolder = folder + "/staging"
        configuration.segmentation = Segmentation(connections: .exactly(connections))
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        let request = TransferRequest(url: url)
        let task =
            if isStaged {
                try manager.downloadTask(with: request, destination: { _, _ in nil }, completionHandler: nil)
            } else {
                try manager.downloadTask(
                    with: request, options: TaskOptions(target: DownloadTarget(folder: folder, name: .fixed("file"))),
                    completionHandler: nil)
            }
        task.resume()
        for await event in task.events {
            if case .status(let status) = event, status.received > 0 {
                FileHandle.standardOutput.write(Data("\(status.received)\n".utf8))
            }
        }
    }
}
