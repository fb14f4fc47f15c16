/// The lines that a worker writes about itself.
package enum WorkerLines {
    package static func started(_ name: String, slots: Int) -> String { "\(name): started with \(slots) slots" }
    package static let noNotices = "No notices arrive (a pooler?); asking once a second"
    package static func away(_ reason: String, seconds: Double) -> String { "\(reason); retrying in \(seconds) s" }
    package static func silent(seconds: Int) -> String {
        "The queue's database has not answered for \(seconds) s; running jobs go on"
    }
    package static let answers = "The queue's database answers again"
    package static let back = "Connected to the queue again"
    package static func lost(_ count: Int) -> String {
        "\(count) finished jobs were no longer this worker's; their files stay"
    }
    package static func failed(_ id: Int64, _ cause: String, _ isFinal: Bool) -> String {
        "Job \(id) failed\(isFinal ? " for good" : ""): \(cause)"
    }
    package static func uncounted(_ id: Int64, _ cause: String) -> String {
        "Job \(id) goes back, and no attempt is counted: \(cause)"
    }
    package static func lostFailure(_ id: Int64, _ cause: String) -> String {
        "Job \(id) was no longer this worker's when it failed: \(cause)"
    }
    package static func obstacle(_ reason: String) -> String { "No claims for a minute: \(reason)" }
    package static func aside(_ id: Int64, _ reason: String) -> String {
        "Job \(id) is left to other workers: \(reason)"
    }
    package static func inUse(_ id: Int64, _ reason: String) -> String { "Job \(id) waits for its file: \(reason)" }
    package static func leaving(_ count: Int) -> String {
        "Jobs without room here: \(count); they stay in the queue for another worker"
    }
    package static func held(_ host: String, seconds: Double, _ reason: String) -> String {
        "No requests to \(host) for \(Int(seconds.rounded(.up))) s: \(reason)"
    }
    package static let stopping = "Stopping: unstarted jobs go back, running ones end"
    package static let parking = "Stopping now: running jobs are parked"
    package static func untold(_ count: Int) -> String {
        "Stopped without the database: \(count) jobs are free again when their leases end"
    }
    package static func ended(done: Int, failed: Int) -> String { "Ended: \(done) done, \(failed) failed attempts" }
}
