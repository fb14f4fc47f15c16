import CLinux
import Dashboard
import Foundation
import Glibc
import SessionSupport
import TransferService

/// A list of jobs, or a Metalink, on a server.
enum RemoteList {
    /// The most bytes that are downloaded.
    private static let sizeLimit = "16M"
    /// In seconds.
    private static let timeLimit = "60"

    /// Returns whether the operand of `-i` is a URL instead of a file.
    static func isURL(_ text: String) -> Bool {
        let scan = URLScan(text)
        return scan.isWeb && scan.host != nil
    }

    /// Downloads a list with the header fields and options of the user's own URLs.
    ///
    /// Blocks until it has arrived, or the time limit has passed.
    ///
    /// - Returns: its bytes, and its URL after redirects.
    static func fetch(
        _ url: String, as defaults: Job, settings: Settings
    ) throws(UsageError) -> (bytes: [UInt8], address: String) {
        let folder = FileManager.default.temporaryDirectory.path + "/netdash-list-\(getpid())"
        guard mkdir(folder, 0o700) == 0 else { throw refusal(url, SystemWords.text(errno)) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var job = Job(kind: .download, url: url, directory: folder)
        job.output = .name("list")
        job.headers = defaults.headers
        job.options = defaults.options.filter { $0.option.subject == .requests }
        job.options.set(JobOption.Value(.maximumFileSize, sizeLimit))
        job.options.set(JobOption.Value(.maximumTime, timeLimit))
        let observer = EndObserver()
        let bridge = LocalService(settings: settings.forService, printsBodies: false, for: observer.interest)
        bridge.observe(observer)
        bridge.send(.add([job]))
        observer.wait()
        let row = bridge.allSnapshots.first
        let answered = row.flatMap { bridge.details(of: $0.id)?.answeredURL.string } ?? ""
        _ = bridge.close()
        guard let data = FileManager.default.contents(atPath: folder + "/list") else {
            throw refusal(url, row?.error?.string ?? ListUsage.noData)
        }
        // A redirect as to a folder decides what its links are relative to; the text has no secrets.
        let isMoved = URLScan(answered).isWebAddress && answered != Redaction.url(url)
        return ([UInt8](data), isMoved ? LinkAddress.resolved(answered, against: url) ?? url : url)
    }

    private static func refusal(_ url: String, _ reason: String) -> UsageError {
        UsageError(argument: "-i", ListUsage.notFetched(Redaction.url(url), reason))
    }
}
