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

    /// The end of a download of a list.
    enum Fetched: Equatable {
        /// Its bytes, and its URL after redirects.
        case list([UInt8], address: String)
        /// A signal that asks the program to end came first.
        case ended(by: Int32)
    }

    /// Rings when the download has ended.
    private final class EndBell: TransferObserver {
        let interest = Interest(showsRows: true, takesCommands: false)
        let bell: Mailbox<Void>

        init() throws(SystemCallError) { bell = try Mailbox() }

        func receive(_ notice: TransferNotice) {
            if case .idle = notice { bell.post(()) }
        }
    }

    /// Downloads a list with the header fields and options of the user's own URLs.
    ///
    /// Blocks until it has arrived, the time limit has passed, or a signal ends the program. Nothing of it stays on the
    /// disk, where a folder in the `temporary` one has it meanwhile.
    static func fetch(
        _ url: String, as defaults: Job, settings: Settings, signals: any SignalSource,
        temporary: String = FileManager.default.temporaryDirectory.path
    ) throws(UsageError) -> Fetched {
        let folder = try newFolder(for: url, in: temporary)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let observer: EndBell
        do throws(SystemCallError) {
            observer = try EndBell()
        } catch {
            throw refusal(url, "\(error)")
        }
        let service = LocalService(settings: Self.settings(of: settings), printsBodies: false, for: observer.interest)
        service.observe(observer)
        service.send(.add([job(url, as: defaults, in: folder)]))
        let signal = signals.wait(until: observer.bell.descriptor)
        let row = service.allSnapshots.first
        let answered = row.flatMap { service.details(of: $0.id)?.answeredURL.string } ?? ""
        _ = service.close()
        if let signal { return .ended(by: signal) }
        guard let data = FileManager.default.contents(atPath: folder + "/list") else {
            throw refusal(url, row?.error?.string ?? ListUsage.noData)
        }
        // A redirect as to a folder decides what its links are relative to; the text has no secrets.
        let isMoved = URLScan(answered).isWebAddress && answered != Redaction.url(url)
        return .list(
            [UInt8](data), address: isMoved ? LinkAddress.resolved(answered, against: url) ?? url : url)
    }

    /// The settings of a run, without the files about its own downloads.
    private static func settings(of run: Settings) -> ServiceSettings {
        var settings = run.forService
        (settings.failedPath, settings.archivePath, settings.checksumsPath) = (nil, nil, nil)
        return settings
    }

    /// A folder that only this user can enter, and that no other process has.
    private static func newFolder(for url: String, in temporary: String) throws(UsageError) -> String {
        let path = temporary + "/netdash-list-XXXXXX"
        var template = path.utf8CString.map { $0 }
        guard let made = mkdtemp(&template) else { throw refusal(url, SystemWords.text(errno)) }
        return String(cString: made)
    }

    private static func job(_ url: String, as defaults: Job, in folder: String) -> Job {
        var job = Job(kind: .download, url: url, directory: folder)
        job.output = .name("list")
        job.headers = defaults.headers
        job.options = defaults.options.filter { $0.option.subject == .requests }
        job.options.set(JobOption.Value(.maximumFileSize, sizeLimit))
        job.options.set(JobOption.Value(.maximumTime, timeLimit))
        return job
    }

    private static func refusal(_ url: String, _ reason: String) -> UsageError {
        UsageError(argument: "-i", ListUsage.notFetched(Redaction.url(url), reason))
    }
}
