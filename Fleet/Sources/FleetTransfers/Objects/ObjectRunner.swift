internal import Dispatch
package import FleetQueue
internal import Foundation
internal import SessionCore

/// Carries out a worker's jobs into a bucket: a download into a spool on a local disk, then an upload.
///
/// What a job does next is ``ObjectUpload``'s decision, on the worker's thread; files are read and hashed on a queue.
package final class ObjectRunner: TransferRunner {
    private struct Entry {
        var job: ClaimedJob
        var upload: ObjectUpload
        /// The number of the step, so that a late answer to an older one means nothing.
        var turn: Int
        /// Whether the file is in the spool under its name.
        var isDownloaded = false
        /// Whether the job was stopped while it was downloaded: its download may have ended just before.
        var isStopped = false
        /// The downloaded file, from the moment at which its digest is known.
        var file: SpoolFile?
        /// What is known of the download.
        var result: String?
        var received: Int64?
    }

    private let store: ObjectStore
    private let downloads: SessionRunner
    private let manager: SessionManager
    private let spool: String
    private let inbox: ObjectInbox
    private let files = DispatchQueue(label: "fleet-spool", attributes: .concurrent)
    private var entries: [Int64: Entry] = [:]
    /// The number of all steps; a job that comes again has none of its earlier ones.
    private var turns = 0
    private var folders = SpoolFolders()
    private var reports: [JobReport] = []

    /// `spool` is a folder on a local disk, whose files are gone when their objects are there.
    package init(
        store: ObjectStore, spool: String, slots: Int, policy: SecretPolicy, environment: [String: String], bell: Bell
    ) {
        self.store = store
        self.spool = spool
        inbox = ObjectInbox(bell: bell)
        downloads = SessionRunner(
            root: spool, slots: slots, policy: policy, environment: environment, collision: .overwrite, bell: bell)
        var configuration = SessionConfiguration()
        configuration.maximumConcurrentTransfers = slots
        configuration.maximumConcurrentTransfersPerHost = slots
        // A download that is finished is worth some patience with the store.
        configuration.maximumRetries = 4
        configuration.additionalHeaders = ["User-Agent": SessionRunner.userAgent]
        manager = SessionManager(configuration: configuration)
        manager.completionQueue = DispatchQueue(label: "fleet-objects")
        manager.postsNotifications = false
    }

    deinit { folders.removeAll(in: spool) }

    package func start(_ job: ClaimedJob) {
        let mark = "\(job.queue)/\(job.id)"
        let upload = ObjectUpload(mark: mark, wanted: ObjectRunner.wanted(job.checksum))
        entries[job.id] = Entry(job: job, upload: upload, turn: nextTurn(of: job.id))
        folders.use(job.destination)
        perform(job.id)
    }

    package func stop(_ id: Int64) {
        guard let entry = entries[id] else { return }
        if entry.upload.step == .download, !entry.isDownloaded {
            // Its end comes as a report.
            entries[id]?.isStopped = true
            downloads.stop(id)
        } else {
            inbox.cancel(id)
            take(.stop, for: id)
        }
    }

    package func finish(_ id: Int64) {
        guard entries[id]?.upload.step == .ask else { return }
        take(.allowed, for: id)
    }

    package func limit(_ id: Int64, to rate: Int64?) {
        // Its download may be about to begin.
        entries[id]?.job.rate = rate
        downloads.limit(id, to: rate)
    }

    package var misfits: [Int64] { downloads.misfits }

    package func takeReports() -> [JobReport] {
        for report in downloads.takeReports() { take(report) }
        for message in inbox.take() {
            guard entries[message.id]?.turn == message.turn else { continue }
            if let file = message.file { entries[message.id]?.file = file }
            take(message.answer, for: message.id)
        }
        folders.remove(leftBefore: FleetClock.now() - SpoolFolders.patience, in: spool)
        defer { reports.removeAll(keepingCapacity: true) }
        return reports
    }

    /// The SHA-256 that a job demands, in small digits; nil without one of this kind.
    private static func wanted(_ checksum: String?) -> String? {
        guard let checksum, checksum.hasPrefix("sha-256=") else { return nil }
        return checksum.dropFirst(8).lowercased()
    }
}

// MARK: Steps

extension ObjectRunner {
    /// Takes a report of a download.
    private func take(_ report: JobReport) {
        switch report {
        case .moved(let id, _, _):
            if entries[id]?.upload.step == .download { reports.append(report) }
        case .done(let id, _, let result): readFile(of: id, result: result)
        case .failed(let id, let failure): take(.failed(failure), for: id)
        case .stopped(let id, let received):
            entries[id]?.received = received
            take(.stop, for: id)
        case .asks: break
        }
    }

    private func take(_ answer: ObjectUpload.Answer, for id: Int64) {
        guard entries[id] != nil else { return }
        entries[id]?.turn = nextTurn(of: id)
        entries[id]?.upload.take(answer)
        perform(id)
    }

    /// The number of a job's next step, whose answers are expected from now on.
    private func nextTurn(of id: Int64) -> Int {
        turns += 1
        inbox.expect(turn: turns, for: id)
        return turns
    }

    private func perform(_ id: Int64) {
        guard let entry = entries[id] else { return }
        switch entry.upload.step {
        case .download:
            folders.makeRoom(for: entry.job.destination, in: spool)
            downloads.start(entry.job)
        case .ask: reports.append(.asks(id))
        case .put: send(entry, range: 0..<(entry.upload.facts?.length ?? 0), part: nil)
        case .part(let number): send(entry, range: entry.upload.range(ofPart: number), part: number)
        case .look, .create, .join, .remove, .compare:
            let step = entry.upload.step
            let request = store.request(of: step, entry.upload, destination: entry.job.destination)
            call(Call(id: id, turn: entry.turn, step: step, digest: nil), request)
        case .end(let end): finish(entry, end)
        }
    }

    private func finish(_ entry: Entry, _ end: ObjectUpload.End) {
        let id = entry.job.id
        entries[id] = nil
        inbox.forget(id)
        // A file that could not be placed is downloaded again, because its server may have another one by then.
        let path = path(of: entry.job)
        if entry.isDownloaded, entry.file?.isAt(path) ?? true { unlink(path) }
        folders.leave(entry.job.destination, at: FleetClock.now())
        switch end {
        case .placed(let facts, let wasThere):
            let result = JobResult(
                entry.result, object: store.name(of: entry.job.destination), digest: facts.digest, wasThere: wasThere)
            reports.append(.done(id, received: facts.length, result: result.json))
        case .failed(let failure): reports.append(.failed(id, failure))
        case .stopped: reports.append(.stopped(id, received: entry.received))
        }
    }

    private func path(of job: ClaimedJob) -> String { spool + "/" + job.destination }
}

// MARK: Requests and files

extension ObjectRunner {
    /// A request whose answer is awaited.
    private struct Call: Sendable {
        let id: Int64
        let turn: Int
        let step: ObjectUpload.Step
        /// The SHA-256 of what is sent, in Base64.
        let digest: String?
    }

    /// Opens a downloaded file and hashes it.
    private func readFile(of id: Int64, result: String?) {
        guard let entry = entries[id] else { return }
        entries[id]?.isDownloaded = true
        guard !entry.isStopped else { return take(.stop, for: id) }
        entries[id]?.result = result
        let (path, turn, type) = (path(of: entry.job), entry.turn, JobResult(result).type)
        files.async { [inbox] in
            do throws(SpoolFault) {
                let file = try SpoolFile(path)
                let digest = SpoolFile.hexadecimal(try file.digest())
                let facts = ObjectFacts(length: file.length, digest: digest, type: type)
                inbox.put(ObjectInbox.Message(id: id, turn: turn, answer: .downloaded(facts), file: file))
            } catch {
                inbox.put(ObjectInbox.Message(id: id, turn: turn, answer: .failed(error.failure)))
            }
        }
    }

    /// Reads a part of the file, or all of it, and sends it.
    private func send(_ entry: Entry, range: Range<Int64>, part number: Int?) {
        let (id, turn, upload, destination) = (entry.job.id, entry.turn, entry.upload, entry.job.destination)
        guard let file = entry.file else { return take(.failed(.again(JobCause(TransferFaults.storeAnswer))), for: id) }
        files.async { [store, inbox, manager] in
            do throws(SpoolFault) {
                let bytes = try file.bytes(range)
                let digest = try SpoolFile.digest(of: bytes)
                let request = store.request(
                    sending: bytes, digest: digest, part: number, upload, destination: destination)
                let call = Call(id: id, turn: turn, step: upload.step, digest: Data(digest).base64EncodedString())
                Self.call(call, request, manager: manager, inbox: inbox, secrets: store.secrets)
            } catch {
                inbox.put(ObjectInbox.Message(id: id, turn: turn, answer: .failed(error.failure)))
            }
        }
    }

    private func call(_ call: Call, _ request: TransferRequest) {
        Self.call(call, request, manager: manager, inbox: inbox, secrets: store.secrets)
    }

    private static func call(
        _ call: Call, _ request: TransferRequest, manager: SessionManager, inbox: ObjectInbox, secrets: [String]
    ) {
        var request = request
        request.allowsHTTP2 = false
        let options = TaskOptions(responseSerializer: DataResponseSerializer())
        @Sendable func fail(_ error: any Error) -> ObjectUpload.Answer {
            // Whether the source's host is to blame does not matter: this is the store.
            .failed(.unable(JobCause(TransferFaults.store(JobFailure.text(of: error, secrets: secrets)))))
        }
        do {
            let task = try manager.dataTask(with: request, options: options, completionHandler: nil)
            task.handler = JobHandler { completion in
                let answer: ObjectUpload.Answer
                if let head = completion.head, (completion.error as? SessionError).map({ $0.code == .http }) ?? true {
                    answer = ObjectAnswers.answer(to: call.step, head, body: completion.data, digest: call.digest)
                } else {
                    answer = fail(completion.error ?? SessionError(.badResponse, TransferFaults.storeAnswer))
                }
                inbox.put(ObjectInbox.Message(id: call.id, turn: call.turn, answer: answer))
            }
            if inbox.begin(task, turn: call.turn, for: call.id) { task.resume() } else { task.cancel() }
        } catch {
            inbox.put(ObjectInbox.Message(id: call.id, turn: call.turn, answer: fail(error)))
        }
    }
}
