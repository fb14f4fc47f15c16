import Dashboard
import SessionCore

/// By which ways the requests of jobs go: through a proxy or a socket, to a place that stands for the server, or in the
/// ordinary way, as nearly all do.
///
/// A server that cannot be reached by one way is not in trouble for those who go another one.
struct JobWays: Sendable {
    private let identity: JobIdentity
    private let run: RequestOptions?
    private let runLeadsElsewhere: Bool

    /// - Parameter run: the options of the whole run.
    init(_ identity: JobIdentity, run: RequestOptions?) {
        (self.identity, self.run) = (identity, run)
        runLeadsElsewhere =
            run.map {
                $0.proxies != nil || !$0.connections.isEmpty || $0.interface != nil || $0.unixSocket != nil
                    || $0.addressFamily != nil
            } ?? false
    }

    /// The way of a job as the library tells it; nil for the ordinary one.
    func way(of job: Job) -> String? {
        let own = job.options.isEmpty ? [] : job.options.filter { Self.leadsElsewhere($0.option) }
        guard runLeadsElsewhere || !own.isEmpty else { return nil }
        var options = RequestOptions()
        // What is wrong with an option fails the task, which says so.
        for value in own { try? identity.apply(value, to: &options) }
        try? identity.applyProxy(own, to: &options)
        return options.way(to: job.url, in: run)
    }

    private static func leadsElsewhere(_ option: JobOption) -> Bool {
        [.proxy, .noProxy, .resolve, .connectTo, .interface, .unixSocket, .ipv4, .ipv6].contains(option)
    }
}
