/// Jobs on their way to the session: whoever takes them is the only one who keeps them.
///
/// A long list would otherwise stay in memory for as long as the dashboard is open.
final class JobList: Sendable {
    private let jobs: Guarded<[Job]>

    init(_ jobs: [Job]) {
        self.jobs = Guarded(jobs)
    }

    /// The jobs, which are gone from here afterwards.
    func take() -> [Job] {
        jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
    }
}
