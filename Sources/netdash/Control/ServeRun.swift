import Dashboard
import Foundation
import Glibc
import ServiceWire
import SessionSupport
import TransferService

/// Runs a session's transfers without a window, for the windows and scripts that attach.
struct ServeRun {
    private enum News: Sendable {
        case stop
        /// The number of connections has changed, or every task has ended.
        case changed
    }

    /// Milliseconds in which a service that ends, and has closed the session, gives up its socket.
    private static let handover: Int64 = 3_000
    private static let handoverPause: useconds_t = 3_000

    let settings: Settings
    /// The saved session; nil for none, which no window can attach to.
    let session: String?
    /// What it begins with, beside the session; nil for nothing.
    let jobs: JobList?
    /// The seconds without tasks and windows after which it ends; nil for never.
    let idleExit: Double?
    let signals: Signals
    let log: LogFile?

    /// Refuses a folder of the command line that cannot be watched.
    ///
    /// The configuration's may come later, as with a mounted disk.
    static func check(_ watch: WatchSetting?) throws(UsageError) {
        guard let watch, watch.label == CommandLineOption.watch.spelling else { return }
        do throws(WatchedFolder.Failure) {
            _ = try WatchedFolder(watch.path)
        } catch {
            let problem =
                error.errno == ENOENT
                ? WatchUsage.missing(watch.path) : WatchUsage.unwatchable(watch.path, error.text)
            throw UsageError(argument: watch.label, problem)
        }
    }

    func run() throws(SystemCallError) -> ExitCode {
        let mailbox = try Mailbox<News>()
        let record = RunRecord(log: log) { StandardStreams.say("netdash: " + $0) }
        record.notifier = try Notifier(
            settings.notifier, environment: ProcessInfo.processInfo.environment, announce: { _ in },
            report: { StandardStreams.say("netdash: " + $0) })
        let service = LocalService(
            settings: settings.forService, printsBodies: false, for: record.interest, session: session)
        if let refusal = service.refusal {
            StandardStreams.complain(refusal.message)
            return refusal.exitCode
        }
        record.attach(service)
        service.observe(record)
        let notices = service.begin()
        for sentence in notices {
            StandardStreams.complain(sentence)
            record.append(SafeText(untrusted: sentence))
        }
        guard session == nil || session.flatMap({ SessionSocket.of($0) }) != nil else { return .usage }
        let connections = Locked(0)
        let wasStopped = Locked(false)
        // Windows and scripts find a service that has everything it was started with, or none.
        let rpc: RPCService?
        do throws(UsageError) {
            rpc = try settings.rpc.address.map { (address) throws(UsageError) in
                try RPCService(
                    settings, at: address, over: service, session: session,
                    environment: ProcessInfo.processInfo.environment,
                    log: { record.append($0) },
                    onStop: {
                        wasStopped.withLock { $0 = true }
                        mailbox.post(.stop)
                    })
            }
        } catch {
            StandardStreams.say("netdash: " + RPCLines.notListening(SafeText(untrusted: error.message)))
            service.close()
            return .taskFailed
        }
        let listener: ServiceListener?
        do throws(ServiceSocket.Problem) {
            listener = try listen(service, notices, mailbox, connections)
        } catch {
            StandardStreams.say("netdash: " + ControlLines.notListening(SafeText(untrusted: error.sentence)))
            rpc?.close()
            service.close()
            return .taskFailed
        }
        // aria2's clients find every job in their first answer.
        if let jobs { service.add(pages: { jobs.next(1_000) }) }
        do throws(UsageError) {
            try rpc?.start()
        } catch {
            StandardStreams.say("netdash: " + RPCLines.notListening(SafeText(untrusted: error.message)))
            rpc?.close()
            service.close()
            listener?.close()
            return .taskFailed
        }
        let ends = service.subscribe(.least) { mailbox.post(.changed) }
        if !settings.isQuiet, let session, let socket = SessionSocket.of(session) {
            StandardStreams.say(ControlLines.ready(SafeText(untrusted: session), SafeText(untrusted: socket.path)))
        }
        let environment = ProcessInfo.processInfo.environment
        let keeper = session.flatMap { StartRecord.path(session: $0, environment: environment) }
            .map { StartRecordKeeper(StartRecord(settings, environment: environment), at: $0) }
        if let keeper { service.observe(keeper) }
        if let rpc, !settings.isQuiet { StandardStreams.say(RPCLines.ready(SafeText(untrusted: rpc.address))) }
        ServiceManager.tell("READY=1")
        let watch = try settings.watch.map { (setting) throws(SystemCallError) in
            try FolderWatch(setting, for: service, directory: settings.directory, isSaved: session != nil) {
                [isQuiet = settings.isQuiet] sentence, isProblem in
                if isProblem { service.complain(sentence) } else { record.append(sentence, level: .info) }
                if isProblem || !isQuiet { StandardStreams.say(isProblem ? "netdash: " + sentence : sentence) }
            }
        }
        let status = wait(mailbox, ends, lastRequest: { rpc?.lastRequest }) {
            service.isAtRest && connections.withLock { $0 } == 0
        }
        ServiceManager.tell("STOPPING=1")
        keeper?.remove()
        watch?.stop()
        rpc?.close()
        listener?.fallSilent()
        // A client that stops the service waits for the end of its connection: then everything is saved.
        let end = service.close()
        end.complaints.forEach { StandardStreams.say("netdash: " + $0) }
        listener?.close(wasStopped: wasStopped.withLock { $0 }, unsaved: end.unsaved)
        _ = record.notifier?.leave(patience: 3_000, limit: 3_000, unless: { false })
        return status.counting(record.close()).counting(complaints: end.complaints)
    }

    /// Listens for windows and scripts; nil without a session, whose name they would need.
    private func listen(
        _ service: LocalService, _ notices: [String], _ mailbox: Mailbox<News>, _ connections: Locked<Int>
    ) throws(ServiceSocket.Problem) -> ServiceListener? {
        guard let session, let socket = SessionSocket.of(session) else { return nil }
        let inherited = ServiceManager.inheritedSocket(environment: ProcessInfo.processInfo.environment)
        let welcome = SessionSocket.welcome(session: session, directory: settings.directory, notices: notices)
        let end = MonotonicClock.milliseconds + Self.handover
        while true {
            do throws(ServiceSocket.Problem) {
                return try ServiceListener(
                    service, at: socket, inherited: inherited, welcome: welcome,
                    onStop: { mailbox.post(.stop) },
                    onCount: { count in
                        connections.withLock { $0 = count }
                        mailbox.post(.changed)
                    })
            } catch {
                guard error == .inUse, MonotonicClock.milliseconds < end else { throw error }
                usleep(Self.handoverPause)
            }
        }
    }

    /// Waits for a signal, a client that stops the service, or the end of the last task without a window.
    private func wait(
        _ mailbox: Mailbox<News>, _ ends: any Subscription, lastRequest: () -> Int64?, isAtRest: () -> Bool
    ) -> ExitCode {
        var idleExit = IdleExit(seconds: idleExit)
        while true {
            let remaining =
                idleExit.seconds == nil
                ? nil
                : idleExit.remaining(
                    isAtRest: isAtRest(), lastRequest: lastRequest(), now: MonotonicClock.milliseconds)
            if remaining == 0 { return .success }
            var entries = [
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&entries, nfds_t(entries.count), remaining.map { Int32(clamping: $0) } ?? -1)
            precondition(count >= 0 || errno == EINTR, "poll failed with errno \(errno)")
            for signal in signals.drain() where Signals.ending.contains(signal) {
                // A service manager and a user of a terminal both mean a clean end.
                return signal == SIGTERM ? .success : .signal(signal)
            }
            _ = ends.take()
            if mailbox.drain().contains(where: { if case .stop = $0 { true } else { false } }) { return .success }
        }
    }
}
