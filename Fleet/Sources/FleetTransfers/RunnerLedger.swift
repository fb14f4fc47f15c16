internal import FleetQueue
internal import Foundation
internal import SessionCore
internal import SessionSupport
internal import Synchronization

/// A download of a job.
struct RunningJob: Sendable {
    let task: SessionTask
    /// The job's URL.
    let url: String
    let folder: WorkerFolder
    let destination: String
    /// What no report may contain.
    let secrets: [String]
}

/// The running downloads and their reports, shared by the worker's thread and the session's delegate queue.
final class RunnerLedger: Sendable {
    private struct State {
        var running: [Int64: RunningJob] = [:]
        var reports: [JobReport] = []
        /// The jobs that had no room, with their sizes.
        var misfits: [Int64: Misfit] = [:]
    }

    private struct Misfit {
        let size: Int64
        let cause: JobCause
    }

    private let state = Mutex(State())
    private let bell: Bell

    init(bell: Bell) { self.bell = bell }

    func note(_ job: RunningJob, as id: Int64) { state.withLock { $0.running[id] = job } }

    func task(of id: Int64) -> SessionTask? { state.withLock { $0.running[id]?.task } }

    /// Adds a report; the first since the last ``takeReports(withCounts:)`` rings.
    func report(_ report: JobReport) {
        let isFirst = state.withLock { state in
            state.reports.append(report)
            return state.reports.count == 1
        }
        if isFirst { bell.ring() }
    }

    /// The reports since the last call, and before them the counts of running downloads if they are wanted.
    func takeReports(withCounts hasCounts: Bool) -> [JobReport] {
        let (reports, tasks) = state.withLock { state in
            let reports = state.reports
            state.reports.removeAll(keepingCapacity: true)
            return (reports, hasCounts ? state.running.mapValues(\.task) : [:])
        }
        let counts = tasks.map { id, task in
            JobReport.moved(id, received: task.status.received, total: task.status.expectedToReceive)
        }
        return counts + reports
    }

    /// Reports a download's end; `discardPart` deletes its part.
    func end(_ id: Int64, _ completion: TaskCompletion, discardPart: () -> Void) {
        guard let job = state.withLock({ $0.running.removeValue(forKey: id) }) else { return }
        let least = Self.leastSize(of: job, completion, discardPart)
        let outcome = Self.outcome(of: id, job, completion, least: least)
        state.withLock { state in
            state.misfits[id] = nil
            guard case .failed(_, .tooLarge(let cause, _)) = outcome, let least else { return }
            state.misfits[id] = Misfit(size: least, cause: cause)
        }
        report(outcome)
    }

    /// The size that a file has at least: the declared one, or what a full disk had for a file that grew until then.
    ///
    /// The part of such a file would keep the disk full for all other jobs.
    private static func leastSize(
        of job: RunningJob, _ completion: TaskCompletion, _ discardPart: () -> Void
    ) -> Int64? {
        if let size = declaredSize(completion) { return size }
        guard (completion.error as? SessionError)?.code == .diskFull, completion.status.received > 0 else { return nil }
        discardPart()
        return job.folder.freeBytes.map { $0 == .max ? $0 : $0 + 1 }
    }

    /// Why a job that had no room has none now; nil where it may be tried.
    func misfit(_ id: Int64, in folder: WorkerFolder) -> JobCause? {
        guard let misfit = state.withLock({ $0.misfits[id] }) else { return nil }
        return misfit.size > folder.freeBytes ?? 0 ? misfit.cause : nil
    }

    /// The jobs that had no room and have none now.
    func misfits(in folder: WorkerFolder) -> [Int64] {
        let misfits = state.withLock(\.misfits)
        guard !misfits.isEmpty else { return [] }
        let free = folder.freeBytes ?? 0
        return misfits.filter { $0.value.size > free }.keys.sorted()
    }

    private static func outcome(
        of id: Int64, _ job: RunningJob, _ completion: TaskCompletion, least: Int64?
    ) -> JobReport {
        let received = completion.status.received
        if let error = completion.error {
            if (error as? SessionError)?.code == .cancelled { return .stopped(id, received: received) }
            let failure = JobFailure.of(
                error, head: completion.head, secrets: job.secrets, below: job.folder, size: least,
                hasFreed: declaredSize(completion) == nil)
            return .failed(id, failure)
        }
        if let path = completion.filePath, path != job.destination {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return .failed(id, .final(JobCause(TransferFaults.otherFile(name), kind: CauseFaults.otherFile)))
        }
        return .done(id, received: size(completion) ?? received, result: JobResult(completion, of: job.url).json)
    }
}

extension RunnerLedger {
    /// The size that the server has declared.
    private static func declaredSize(_ completion: TaskCompletion) -> Int64? {
        completion.status.expectedToReceive ?? completion.head?.headers["Content-Length"].flatMap { Int64($0) }
    }

    /// The size of a file that was there already, of which nothing is received; nil for a download.
    private static func size(_ completion: TaskCompletion) -> Int64? {
        guard completion.wasSkipped, let path = completion.filePath else { return nil }
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}

/// What the queue keeps of a finished download.
struct JobResult: Codable {
    var status: Int?
    /// The URL of the response where a redirect led to it, without query and user info, which may be secret.
    ///
    /// A copy of each job's own would be a third of what a million results take.
    var url: String?
    var etag: String?
    /// The media type by the response.
    var type: String?
    var digest: String?
    /// The object in a bucket.
    var object: String?
    /// Whether the file was there already.
    var skipped: Bool?

    init(_ completion: TaskCompletion, of jobURL: String) {
        status = completion.head?.statusCode
        if let last = completion.head?.url, last != jobURL { url = Self.plain(last) }
        etag = completion.head?.headers["ETag"]
        type = completion.head?.headers["Content-Type"]
        digest = completion.verifiedDigest
        skipped = completion.wasSkipped ? true : nil
    }

    /// Reads a stored result; an empty one for any other text.
    init(_ json: String?) {
        let stored = json.flatMap { try? JSONDecoder().decode(JobResult.self, from: Data($0.utf8)) }
        if let stored { self = stored }
    }

    /// The result of a download whose file is an object of a bucket now, or was one before.
    init(_ download: String?, object: String, digest: String, wasThere: Bool) {
        self.init(download)
        self.object = object
        if !digest.isEmpty { self.digest = digest }
        if wasThere { skipped = true }
    }

    private static func plain(_ url: String) -> String {
        let secret = "?#@".utf8
        guard url.utf8.contains(where: { secret.contains($0) }) else { return url }
        var text = url.prefix { $0 != "?" && $0 != "#" }
        if let start = text.firstRange(of: "://")?.upperBound {
            let end = text[start...].firstIndex(of: "/") ?? text.endIndex
            if let at = text[start..<end].lastIndex(of: "@") { text.removeSubrange(start...at) }
        }
        return String(text)
    }

    var json: String {
        var object = JSONObjectWriter()
        if let status { object.add("status", status) }
        for (key, text) in [("url", url), ("etag", etag), ("type", type), ("digest", digest), ("object", self.object)] {
            if let text { object.add(key, text) }
        }
        if let skipped { object.add("skipped", skipped) }
        return String(decoding: object.closed(), as: UTF8.self)
    }
}
