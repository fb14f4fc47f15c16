internal import Dispatch
package import FleetQueue
internal import Foundation
internal import SessionCore
internal import Synchronization

/// Carries out a worker's jobs as SessionCore's downloads: parts with proofs, checksums, and names given once.
///
/// Workers with a shared folder continue each other's parts. A failed attempt is not repeated here, because the queue
/// decides when and by which worker.
package final class SessionRunner: TransferRunner {
    private let manager: SessionManager
    private let folder: WorkerFolder
    private let policy: SecretPolicy
    private let environment: [String: String]
    private let starter: JobStarter
    private let ledger: RunnerLedger
    private let commands: CommandSecrets
    private let orders: TaskOrders
    /// Jobs whose secrets commands are still printing, in their order.
    private var waiting: [ClaimedJob] = []
    private var nextSample = 0.0

    /// `root` is the folder below which all destinations are.
    package convenience init(
        root: String, slots: Int, policy: SecretPolicy, environment: [String: String], bell: Bell
    ) {
        self.init(
            root: root, slots: slots, policy: policy, environment: environment, collision: .same, bell: bell)
    }

    /// `collision` says what happens to a file that is there.
    init(
        root: String, slots: Int, policy: SecretPolicy, environment: [String: String],
        collision: DownloadTarget.Collision, bell: Bell
    ) {
        var configuration = SessionConfiguration()
        configuration.maximumConcurrentTransfers = slots
        // The queue and the worker's book limit the transfers per host.
        configuration.maximumConcurrentTransfersPerHost = slots
        configuration.additionalHeaders = ["User-Agent": Self.userAgent]
        manager = SessionManager(configuration: configuration)
        manager.completionQueue = DispatchQueue(label: "fleet-completions")
        // They would wait for a main queue that no worker runs, and keep every task.
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        folder = WorkerFolder(path: root, isSpool: collision == .overwrite)
        self.policy = policy
        self.environment = environment
        ledger = RunnerLedger(bell: bell)
        starter = JobStarter(manager: manager, folder: folder, collision: collision, ledger: ledger)
        commands = CommandSecrets(bell: bell)
        orders = TaskOrders(manager.operationQueue)
    }

    static let userAgent = "netdash-fleet/0.1"

    package func start(_ job: ClaimedJob) {
        // Its host need not be asked again for a size that is known.
        if let cause = ledger.misfit(job.id, in: folder) { return ledger.report(.failed(job.id, .tooLarge(cause))) }
        let needed = JobRequest.commands(of: job).filter { policy.allows(command: $0, host: job.host) }
        let outputs = commands.outputs(of: needed, at: FleetClock.now())
        // The worker's loop never waits for a command.
        guard outputs.count == needed.count else { return waiting.append(job) }
        do throws(TransferFault) {
            let made = try JobRequest(job, policy: policy, environment: environment, outputs: outputs)
            orders.add { [starter] in starter.start(job, made) }
        } catch {
            ledger.report(
                .failed(job.id, error.isPassing ? .again(JobCause(error.text)) : .final(JobCause(error.text))))
        }
    }

    package func stop(_ id: Int64) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index)
            return ledger.report(.stopped(id, received: nil))
        }
        orders.add { [ledger] in ledger.task(of: id)?.cancel(keepingPart: true) }
    }

    package func limit(_ id: Int64, to rate: Int64?) {
        if let index = waiting.firstIndex(where: { $0.id == id }) { waiting[index].rate = rate }
        orders.add { [ledger] in ledger.task(of: id)?.rateLimit = rate.map { RateLimit(download: $0) } }
    }

    package var misfits: [Int64] { ledger.misfits(in: folder) }

    package func takeReports() -> [JobReport] {
        let ready = waiting
        waiting = []
        ready.forEach(start)
        let now = FleetClock.now()
        let mustSample = now >= nextSample
        if mustSample { nextSample = now + 1 }
        return ledger.takeReports(withCounts: mustSample)
    }
}

/// Passes a task's end on.
final class JobHandler: TaskHandler {
    private let ended: @Sendable (TaskCompletion) -> Void

    init(_ ended: @escaping @Sendable (TaskCompletion) -> Void) { self.ended = ended }

    func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
        if case .completed(let completion) = event { ended(completion) }
    }
}

/// Makes and starts a job's task.
private struct JobStarter: Sendable {
    let manager: SessionManager
    let folder: WorkerFolder
    let collision: DownloadTarget.Collision
    let ledger: RunnerLedger

    func start(_ job: ClaimedJob, _ made: JobRequest) {
        let options = TaskOptions(target: JobRequest.target(of: job, below: folder.path, collision: collision))
        let task: SessionTask
        do {
            task = try manager.downloadTask(with: made.request, options: options, completionHandler: nil)
        } catch {
            return ledger.report(.failed(job.id, .of(error, head: nil, secrets: made.secrets, below: folder)))
        }
        if let rate = job.rate { task.rateLimit = RateLimit(download: rate) }
        task.handler = JobHandler { [ledger, manager, weak task] completion in
            ledger.end(job.id, completion) { if let task { manager.discardPart(of: task) } }
        }
        ledger.note(
            RunningJob(
                task: task, url: made.request.url, folder: folder, destination: folder.path + "/" + job.destination,
                secrets: made.secrets),
            as: job.id)
        task.resume()
    }
}

/// Orders to a session's tasks, in their order.
///
/// They are carried out on the delegate queue, because each task that starts elsewhere wakes that queue's thread.
private final class TaskOrders: Sendable {
    typealias Order = @Sendable () -> Void

    private let waiting = Mutex([Order]())
    private let queue: OperationQueue

    init(_ queue: OperationQueue) { self.queue = queue }

    func add(_ order: @escaping Order) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(order)
            return waiting.count == 1
        }
        if isFirst { queue.addOperation { self.run() } }
    }

    private func run() {
        let orders = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for order in orders { order() }
    }
}
