// example: readme
import SessionCore

// end

/// The example of the README.
enum DocumentationExampleReadme {
    /// What it asks of the real network, which is compiled and not run.
    static var place: (url: String, folder: String) {
        // example: readme
        let (url, folder) = ("https://example.org/file.iso", ".")
        // end
        return (url, folder)
    }

    /// Everything else.
    static func download(_ url: String, _ folder: String) async throws -> TaskCompletion {
        // example: readme
        let manager = SessionManager()
        let task = try manager.downloadTask(
            with: TransferRequest(url: url), progress: { progress in print(progress.fractionCompleted) },
            options: TaskOptions(target: DownloadTarget(folder: folder)), completionHandler: nil)
        task.resume()  // task.suspend() pauses it; so does manager.downloadProgress(for: task)?.pause()
        let completion = await task.completion()
        print(completion.filePath ?? "no file: \(completion.error, default: "it was there already")")
        // end
        return completion
    }
}
