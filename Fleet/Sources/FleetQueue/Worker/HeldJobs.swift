/// The jobs in a worker's hands by their ids, and how many of them are in each phase.
///
/// The worker's loop asks for the numbers each time it wakes; a look at 250 jobs each time cost 2 µs per small file.
package struct HeldJobs: Sendable {
    private var jobs: [Int64: HeldJob] = [:]
    private var phases = HeldJob.Phase.allCases.map { _ in 0 }
    /// The number of running jobs that wait for word of the queue.
    private(set) var asking = 0

    subscript(id: Int64) -> HeldJob? {
        get { jobs[id] }
        set {
            if let old = jobs[id] { count(old, -1) }
            if let newValue { count(newValue, 1) }
            jobs[id] = newValue
        }
    }

    func count(_ phase: HeldJob.Phase) -> Int { phases[phase.rawValue] }

    package var count: Int { jobs.count }
    var isEmpty: Bool { jobs.isEmpty }
    var values: some Collection<HeldJob> { jobs.values }

    private mutating func count(_ job: HeldJob, _ change: Int) {
        phases[job.phase.rawValue] += change
        if job.phase == .running, job.asks { asking += change }
    }
}
