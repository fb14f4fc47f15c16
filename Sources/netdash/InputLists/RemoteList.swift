import CLinux
import Dashboard
import Foundation
import Glibc
import SessionSupport
import TransferService

/// A list of jobs, or a Metalink, that a server has.
enum RemoteList {
    /// The most bytes that are fetched.
    private static let sizeLimit = "16M"
    /// Seconds that it may take.
    private static let timeLimit = "60"

    /// Whether the operand of `-i` is a URL and no file.
    static func isURL(_ text: String) -> Bool {
        let scan = URLScan(text)
        return scan.isWeb && scan.host != nil
    }

    /// Fetches a list as the user's own URLs are fetched: with the fields and the options of requests.
    ///
    /// Blocks until it is here, or its time is over.
    static func fetch(_ url: String, as defaults: Job, settings: Settings) throws(UsageError) -> [UInt8] {
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
        let error = bridge.allSnapshots.first?.error
        _ = bridge.close()
        guard let data = FileManager.default.contents(atPath: folder + "/list") else {
            throw refusal(url, error?.string ?? ListUsage.noData)
        }
        return [UInt8](data)
    }

    private static func refusal(_ url: String, _ reason: String) -> UsageError {
        UsageError(argument: "-i", ListUsage.notFetched(Redaction.url(url), reason))
    }
}
