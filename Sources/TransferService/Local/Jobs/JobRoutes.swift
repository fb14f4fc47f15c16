import SessionCore

/// Finds the route of each job's requests: a proxy, a socket, an address that replaces the server, or the direct route.
///
/// A server that is unreachable by one route stays available to jobs on another.
struct JobRoutes: Sendable {
    private let run: RequestOptions?
    private let runLeadsElsewhere: Bool

    /// - Parameter run: the options of the run.
    init(run: RequestOptions?) {
        self.run = run
        runLeadsElsewhere = run?.leadsElsewhere == true
    }

    /// The library's name for a job's route; nil for the direct route.
    func route(of job: Job) -> String? {
        guard runLeadsElsewhere || !job.options.isEmpty else { return nil }
        var terms = job.options.terms
        guard runLeadsElsewhere || terms.request.leadsElsewhere || terms.request.proxyExceptions != nil else {
            return nil
        }
        // Credentials do not change a route, and reading them may take a while.
        JobIdentity.applyExceptions(&terms)
        return terms.request.route(to: job.url, in: run)
    }
}

/// Finds the servers of rows without tasks, in the scheduler's keys.
struct RowHosts {
    private let keys = HostKeys()
    private let routes: JobRoutes
    /// The routes of jobs without options, by origin.
    private var usual: [String: String?] = [:]
    /// The latest of these: most jobs of a list have one origin.
    private var latest: (origin: String, route: String?)?

    init(_ routes: JobRoutes) {
        self.routes = routes
    }

    /// The key of a job's server and route; `QueueEntry.anywhere` where mirrors may serve the file.
    mutating func host(of job: Job) -> String {
        guard !job.options.contains(where: { $0.option == .mirror }) else { return QueueEntry.anywhere }
        return keys.key(of: job.url) { route(of: job, to: $0) } ?? QueueEntry.anywhere
    }

    private mutating func route(of job: Job, to origin: String) -> String? {
        guard job.options.isEmpty else { return routes.route(of: job) }
        if let latest, latest.origin == origin { return latest.route }
        let route = usual[origin] ?? routes.route(of: job)
        usual[origin] = .some(route)
        latest = (origin, route)
        return route
    }
}
