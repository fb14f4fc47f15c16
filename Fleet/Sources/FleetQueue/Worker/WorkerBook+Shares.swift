extension WorkerBook {
    /// The hosts of which jobs run here: one may get a rate at any time.
    package var runningHosts: Set<String> { Set(running.keys) }

    /// Takes the share of a claimed job for each host that has a rate; `hosts` were asked for.
    ///
    /// The shares of claimed jobs that have not begun are the running ones' meanwhile.
    package mutating func share(_ shares: [String: Int64], among hosts: Set<String>) -> [WorkerAction] {
        var claimed: [String: Int64] = [:]
        var begun: [String: Int64] = [:]
        for job in held.values where hosts.contains(job.job.host) {
            if job.phase != .abandoned, job.phase != .ended { claimed[job.job.host, default: 0] += 1 }
            if job.phase == .running { begun[job.job.host, default: 0] += 1 }
        }
        var actions: [WorkerAction] = []
        for job in held.values.sorted(by: { $0.job.id < $1.job.id }) where job.phase == .running {
            let (id, host) = (job.job.id, job.job.host)
            guard hosts.contains(host), let begun = begun[host], let claimed = claimed[host] else { continue }
            let rate = shares[host].map { max(1, $0.multipliedReportingOverflow(by: claimed).partialValue / begun) }
            guard rate != job.rate else { continue }
            held[id]?.rate = rate
            actions.append(.limit(id, rate))
        }
        return actions
    }
}
