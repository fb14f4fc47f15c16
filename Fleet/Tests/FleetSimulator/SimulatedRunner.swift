import Dispatch
import FleetQueue
import Foundation
import Synchronization

/// Carries out jobs without transferring: each ends after a time, with a small file where a folder is given.
final class SimulatedRunner: TransferRunner, Sendable {
    private struct State {
        /// The running jobs, and when they began.
        var running: [Int64: Double] = [:]
        var reports: [JobReport] = []
    }

    private let state = Mutex(State())
    private let bell: Bell
    private let milliseconds: Int
    private let folder: String?
    /// Whether the worker's disk is full.
    private let isFull = ProcessInfo.processInfo.environment["SIMULATED_DISK"] == "full"
    /// The bytes per second of each job; without it nothing is known of them.
    private let speed = ProcessInfo.processInfo.environment["SIMULATED_SPEED"].flatMap { Double($0) }
    private let timers = DispatchQueue(label: "simulated-transfers")

    init(bell: Bell, milliseconds: Int, folder: String?) {
        self.bell = bell
        self.milliseconds = milliseconds
        self.folder = folder
    }

    func start(_ job: ClaimedJob) {
        state.withLock { $0.running[job.id] = FleetClock.now() }
        guard milliseconds > 0 else { return end(job) }
        timers.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { self.end(job) }
    }

    func stop(_ id: Int64) {
        let isRunning = state.withLock { state in
            guard state.running.removeValue(forKey: id) != nil else { return false }
            state.reports.append(.stopped(id, received: 1))
            return true
        }
        if isRunning { bell.ring() }
    }

    func takeReports() -> [JobReport] {
        state.withLock { state in
            defer { state.reports.removeAll(keepingCapacity: true) }
            guard let speed else { return state.reports }
            let (now, total) = (FleetClock.now(), Int64(speed * Double(milliseconds) / 1000))
            return state.running.map { .moved($0, received: Int64(speed * (now - $1)), total: total) } + state.reports
        }
    }

    private func end(_ job: ClaimedJob) {
        guard state.withLock({ $0.running.removeValue(forKey: job.id) != nil }) else { return }
        let report = outcome(of: job)
        state.withLock { $0.reports.append(report) }
        bell.ring()
    }

    /// A host named after a fault has it.
    private func outcome(of job: ClaimedJob) -> JobReport {
        if job.host.hasPrefix("busy") { return .failed(job.id, .hold(seconds: 600, "status 429")) }
        if job.host.hasPrefix("gone") { return .failed(job.id, .final("status 404")) }
        if isFull { return .failed(job.id, .unable("no space left on device")) }
        if job.host.hasPrefix("flaky") { return .failed(job.id, .again("connection reset")) }
        if let folder { place(job, in: folder) }
        return .done(job.id, received: 10, result: #"{"status":200}"#)
    }

    /// Gives the file its name without replacing one, and notes who did it.
    private func place(_ job: ClaimedJob, in folder: String) {
        let path = folder + "/" + job.destination
        let part = folder + "/.\(job.id).\(job.epoch).\(getpid())"
        var outcome = "failed"
        let file = open(part, O_WRONLY | O_CREAT | O_EXCL, 0o644)
        if file >= 0 {
            _ = job.url.withCString { write(file, $0, strlen($0)) }
            close(file)
            outcome = link(part, path) == 0 ? "placed" : errno == EEXIST ? "seen" : "failed"
            unlink(part)
        }
        let line = "\(job.id) \(job.epoch) \(outcome)\n"
        let log = open(folder + "/log", O_WRONLY | O_APPEND | O_CREAT, 0o644)
        _ = line.withCString { write(log, $0, strlen($0)) }
        close(log)
    }
}
