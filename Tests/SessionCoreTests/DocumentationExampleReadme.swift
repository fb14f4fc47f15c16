// example: readme
import Foundation
import SessionCore

// end

/// The example of the README.
///
/// It asks the real network, so it is compiled and not run.
enum DocumentationExampleReadme {
    static func download() throws {
        // example: readme
        let manager = SessionManager()
        let task = try manager.downloadTask(
            with: TransferRequest(url: "https://example.org/file.iso"), to: DownloadTarget(folder: "."),
            progress: { progress in print(progress.fractionCompleted) },
            completionHandler: { _, file, error in print(file?.path ?? "\(error, default: "no file")") })
        task.resume()  // task.suspend() pauses it; so does manager.downloadProgress(for: task)?.pause()
        // end
    }
}
