import CLinux
import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Runs hook commands on its own thread, a few at a time, and reports failures.
///
/// Callers never wait. Safe from any thread.
final class HookRunner: Sendable {
    /// The commands that run at the same time.
    static let concurrentLimit = 4
    /// The most waiting commands; further ones are left out and reported once.
    static let waitingLimit = 10_000

    /// A command to run.
    struct Order: Sendable {
        var moment: NotificationEvent
        /// The command, as a shell reads it.
        var command: String
        /// The name of the task; empty for all tasks.
        var subject: SafeText
        var fields: HookFields
    }

    /// The counts of commands.
    struct Counts: Sendable, Equatable {
        var waiting = 0
        var running = 0
        var ended = 0

        var isEmpty: Bool { waiting == 0 && running == 0 }

        /// The sentence about commands that are left when the program ends; nil without any.
        var closing: SafeText? {
            guard !isEmpty else { return nil }
            if running == 0 { return CommandErrors.hooksSkipped(waiting) }
            if waiting == 0 { return CommandErrors.hooksRunning(running) }
            return CommandErrors.hooks(running: running, skipped: waiting)
        }
    }

    private enum Message: Sendable {
        case run(Order)
        case stop
    }

    private let inbox: Mailbox<Message>
    private let counts = Monitor(Counts())
    private let report: @Sendable (SafeText) -> Void
    private let isRefusing = Locked(false)

    /// Commands inherit `environment`; `report` receives one sentence for each failure, on the runner's thread.
    init(environment: [String: String], report: @escaping @Sendable (SafeText) -> Void) throws(SystemCallError) {
        inbox = try Mailbox<Message>()
        self.report = report
        do throws(SystemThread.Refusal) {
            // This program may itself run in a hook, whose facts must not be inherited.
            let names = Set(HookField.allCases.map(\.variable))
            let environment = environment.filter { !names.contains($0.key) }
            try SystemThread.detach(name: "netdash-hooks") { [inbox, counts] in
                var loop = Loop(environment: environment, counts: counts, report: report)
                loop.run(inbox)
            }
        } catch {
            throw SystemCallError(call: error.call, errno: error.number)
        }
    }

    deinit { inbox.post(.stop) }

    /// Runs a command as soon as a slot is free.
    func run(_ order: Order) {
        let isAccepted = counts.withLock { counts in
            guard counts.waiting < Self.waitingLimit else { return false }
            counts.waiting += 1
            return true
        }
        if isAccepted { return inbox.post(.run(order)) }
        let isFirst = isRefusing.withLock { isRefusing in
            defer { isRefusing = true }
            return !isRefusing
        }
        if isFirst {
            report(CommandErrors.hooksFull)
        }
    }

    /// Waits until every command has ended and returns the remaining counts.
    ///
    /// It gives up when none has ended for `patience`, or after `limit`. `isInterrupted` is polled and ends the wait.
    func wait(
        patience: Int64, limit: Int64 = .max, unless isInterrupted: () -> Bool = { false }
    ) -> Counts {
        let begin = cl_monotonic_milliseconds()
        var last = (ended: counts.withLock { $0.ended }, moment: begin)
        while true {
            let now = cl_monotonic_milliseconds()
            let current = counts.withLock { $0 }
            if current.ended != last.ended { last = (current.ended, now) }
            let rest = min(last.moment + patience - now, limit == .max ? .max : begin + limit - now)
            if current.isEmpty || rest <= 0 || isInterrupted() { return current }
            counts.wait(timeoutMilliseconds: min(rest, Self.interval)) { $0.ended != current.ended }
        }
    }

    /// The milliseconds between two polls of `isInterrupted`.
    private static let interval: Int64 = 100
}

extension HookRunner {
    /// The thread's waiting and running commands.
    private struct Loop {
        let environment: [String: String]
        let counts: Monitor<Counts>
        let report: @Sendable (SafeText) -> Void
        private var waiting = FIFO<Order>()
        private var running: [HookProcess] = []

        init(environment: [String: String], counts: Monitor<Counts>, report: @escaping @Sendable (SafeText) -> Void) {
            self.environment = environment
            self.counts = counts
            self.report = report
        }

        /// Runs commands until it is stopped; running ones then outlive it.
        mutating func run(_ inbox: Mailbox<Message>) {
            while true {
                for message in inbox.drain() {
                    switch message {
                    case .run(let order): waiting.append(order)
                    case .stop: return
                    }
                }
                while running.count < HookRunner.concurrentLimit, let order = waiting.popFirst() { start(order) }
                poll(inbox.descriptor)
                removeEnded()
            }
        }

        private mutating func start(_ order: Order) {
            do throws(SystemCallError) {
                running.append(try HookProcess(order, environment: environment))
                counts.change { counts in
                    counts.waiting -= 1
                    counts.running += 1
                }
            } catch {
                report(sentence(about: order, SafeText(untrusted: SystemWords.text(error.errno))))
                counts.change { counts in
                    counts.waiting -= 1
                    counts.ended += 1
                }
            }
        }

        /// Waits for an order or an end.
        private func poll(_ inbox: Int32) {
            let descriptors = [inbox] + running.map(\.descriptor)
            // Kernels before 5.3 have no process descriptors: there it polls every 100 ms.
            let timeout: Int32 = descriptors.contains(-1) ? 100 : -1
            var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = Glibc.poll(&entries, nfds_t(entries.count), timeout)
            precondition(count >= 0 || errno == EINTR, "poll failed with errno \(errno)")
        }

        private mutating func removeEnded() {
            var left: [HookProcess] = []
            for process in running {
                switch process.look() {
                case .runs: left.append(process)
                case .succeeded: break
                case .failed(let cause): report(sentence(about: process.order, cause))
                }
            }
            let ended = running.count - left.count
            running = left
            guard ended > 0 else { return }
            counts.change { counts in
                counts.running -= ended
                counts.ended += ended
            }
        }

        /// A name that leaves room for the cause in a line.
        private static func shortened(_ name: SafeText) -> SafeText {
            let limit = 80
            guard name.string.count > limit else { return name }
            return SafeText(untrusted: String(name.string.prefix(limit))) + "…"
        }

        private func sentence(about order: Order, _ cause: SafeText) -> SafeText {
            let hook = SafeText(untrusted: order.moment.optionName)
            return order.subject.isEmpty
                ? CommandErrors.hook(hook, cause)
                : CommandErrors.hook(hook, for: Self.shortened(order.subject), cause)
        }
    }
}
