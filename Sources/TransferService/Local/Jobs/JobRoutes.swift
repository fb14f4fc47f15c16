import SessionCore

/// By which ways the requests of jobs go: through a proxy or a socket, to a place that stands for the server, or in the
/// ordinary way, as nearly all do.
///
/// A server that cannot be reached by one way is not in trouble for those who go another one.
struct JobRoutes: Sendable {
    private let identity: JobIdentity
    private let run: RequestOptions?
    private let runLeadsElsewhere: Bool

    /// - Parameter run: the options of the whole run.
    init(_ identity: JobIdentity, run: RequestOptions?) {
        (self.identity, self.run) = (identity, run)
        runLeadsElsewhere = run?.leadsElsewhere == true
    }

    /// The way of a job as the library tells it; nil for the ordinary one.
    func route(of job: Job) -> String? {
        guard runLeadsElsewhere || !job.options.isEmpty else { return nil }
        var terms = job.options.terms
        guard runLeadsElsewhere || terms.request.leadsElsewhere || terms.request.proxyExceptions != nil else {
            return nil
        }
        // What is wrong with an option fails the task, which says so.
        try? identity.applyProxy(&terms)
        return terms.request.route(to: job.url, in: run)
    }
}

/// The servers that rows without tasks will ask, in the words of the library's scheduler.
struct RowHosts {
    private let keys = HostKeys()
    private let routes: JobRoutes
    /// The ways of jobs without options, by origin.
    private var usual: [String: String?] = [:]

    init(_ routes: JobRoutes) {
        self.routes = routes
    }

    /// The server of a job and the way to it; no server where the file may come from others too.
    mutating func host(of job: Job) -> String {
        guard !job.options.contains(where: { $0.option == .mirror }) else { return QueueEntry.anywhere }
        return keys.key(of: job.url) { route(of: job, to: $0) } ?? QueueEntry.anywhere
    }

    private mutating func route(of job: Job, to origin: String) -> String? {
        guard job.options.isEmpty else { return routes.route(of: job) }
        if let known = usual[origin] { return known }
        let route = routes.route(of: job)
        usual[origin] = .some(route)
        return route
    }
}
