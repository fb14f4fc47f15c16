import CLinux
import Glibc
import SessionSupport

/// The engine: one thread around libcurl's multi interface.
///
/// Any thread may submit commands, which are carried out in order. The loop's thread owns every libcurl handle and is
/// the only one to touch them. Events go to the client on that thread, a batch per turn.
final class TransferLoop: TransferEngine {
    /// A message from another thread to the loop.
    enum Message: Sendable {
        case command(EngineCommand)
        case job(@Sendable (LoopCore) -> Void)
    }

    private struct Shared {
        var inbox: [Message] = []
        /// Whether the loop is going to read the inbox, so that only the first message of a burst pays for waking it.
        var isWakePending = false
        /// Whether the loop has ended, so that the inbox is no longer read.
        var hasEnded = false
        weak var client: (any EngineClient)?
    }

    let configuration: SessionConfiguration
    let checkpoints: CheckpointLane
    let network: NetworkView
    private let shared = Locked(Shared())
    private let wakeDescriptor: Int32

    /// Starts the thread; throws when the system refuses a descriptor or a thread.
    init(
        configuration: SessionConfiguration, checkpoints: CheckpointLane = CheckpointLane(),
        network: NetworkView = .system
    ) throws(SessionError) {
        self.configuration = configuration
        self.checkpoints = checkpoints
        self.network = network
        wakeDescriptor = cl_eventfd()
        guard wakeDescriptor >= 0 else {
            throw SessionError(.internal, EngineErrors.noDescriptor, errno: errno)
        }
        try SystemThread.startDetached(name: "session-loop") { [self] in run() }
    }

    deinit {
        close(wakeDescriptor)
    }

    func setClient(_ client: any EngineClient) {
        shared.withLock { $0.client = client }
    }

    func submit(_ command: EngineCommand) { post(.command(command)) }

    /// Runs a job on the loop's thread, after everything submitted before it.
    func run(_ job: @escaping @Sendable (LoopCore) -> Void) { post(.job(job)) }

    private func post(_ message: Message) {
        let (wakes, isLate) = shared.withLock { state -> (Bool, Bool) in
            guard !state.hasEnded else { return (false, true) }
            state.inbox.append(message)
            defer { state.isWakePending = true }
            return (!state.isWakePending, false)
        }
        if isLate { refuse(message) }
        // The counter cannot overflow, and a closed descriptor would mean the loop is gone with its transfers.
        if wakes { _ = cl_eventfd_signal(wakeDescriptor) }
    }

    /// Ends a transfer that was added after the end: its session may be invalidated while it is being started.
    private func refuse(_ message: Message) {
        guard case .command(.add(let description)) = message else { return }
        let url = description.request.url
        refuse(description, SessionError(.sessionInvalidated, TaskErrors.invalidated, failingURL: url))
    }

    /// Ends a transfer that never reached the loop.
    private func refuse(_ description: TransferDescription, _ error: SessionError) {
        var status = TaskStatus()
        status.phase = .failed
        description.control.publish(status)
        client?.engineDidPublish([.finished(description.id, TransferOutcome(error: error, status: status), body: [])])
    }

    // MARK: - On the loop's thread

    /// Returns everything submitted since the last call; called by the loop.
    func takeInbox() -> [Message] {
        shared.withLock { state in
            state.isWakePending = false
            defer { state.inbox = [] }
            return state.inbox
        }
    }

    /// The receiver of each turn's events; called by the loop.
    var client: (any EngineClient)? { shared.withLock { $0.client } }

    private func run() {
        do {
            let core = try LoopCore(loop: self, wakeDescriptor: wakeDescriptor)
            core.run()
        } catch {
            runBroken(error)
        }
        let late = shared.withLock { state in
            state.hasEnded = true
            defer { state.inbox = [] }
            return state.inbox
        }
        for message in late { refuse(message) }
        client?.engineDidPublish([.invalidated])
    }

    /// Fails every transfer with the reason why no multi handle could be made, so that nothing hangs.
    private func runBroken(_ error: SessionError) {
        var isInvalidated = false
        while true {
            for message in takeInbox() {
                switch message {
                case .command(.add(let description)): refuse(description, error)
                case .command(.queue(let changes)):
                    client?.engineDidPublish([.admitted(QueueChange.entered(changes))])
                case .command(.invalidate): isInvalidated = true
                case .command(.reconcile), .command(.disposition), .command(.redirect), .command(.refuseRedirect),
                    .command(.consumed), .command(.setLimits), .command(.setRateLimits), .job:
                    break
                }
            }
            if isInvalidated { return }
            var descriptor = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, -1)
            _ = cl_eventfd_drain(wakeDescriptor)
        }
    }
}
