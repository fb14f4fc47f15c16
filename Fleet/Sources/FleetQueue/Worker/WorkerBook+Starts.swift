extension WorkerBook {
    /// The next jobs to start: as many as there are free slots, and none beyond the worker's limit per host.
    ///
    /// A host's late job keeps a slot until the queue has said whether it may begin, so that no other one overtakes it.
    package mutating func starts() -> [WorkerAction] {
        awaited = []
        guard !isStopping, obstacle == nil else { return [] }
        var free = slots - count(.running) - count(.parking)
        var actions: [WorkerAction] = []
        var rest: [Int64] = []
        for id in line {
            guard let job = held[id], job.phase == .ready else { continue }
            guard free > 0, running[job.job.host, default: 0] < perHost else {
                if job.job.nextStart != nil { held[id]?.isLate = true }
                rest.append(id)
                continue
            }
            guard !job.isLate else {
                if awaited.insert(job.job.host).inserted { free -= 1 }
                rest.append(id)
                continue
            }
            free -= 1
            held[id]?.phase = .running
            running[job.job.host, default: 0] += 1
            actions.append(.start(job.job))
        }
        line = rest
        return actions
    }

    /// The late jobs of hosts that have a slot, of each of which the queue is to allow a start.
    package var late: [HeldJob] {
        guard !awaited.isEmpty else { return [] }
        return line.compactMap { held[$0] }.filter { $0.isLate && awaited.contains($0.job.host) }
    }

    /// Takes the hosts of which one of the late jobs may begin; the other hosts' jobs go back, to be claimed in time.
    package mutating func begin(_ hosts: Set<String>, of late: [HeldJob]) -> [WorkerAction] {
        var allowed = hosts
        for job in late where held[job.job.id]?.phase == .ready && allowed.remove(job.job.host) != nil {
            held[job.job.id]?.isLate = false
        }
        let refused = Set(late.map(\.job.host)).subtracting(hosts)
        handBackReady { refused.contains($0.host) }
        return starts()
    }

    /// The hosts of which at least some jobs have begun or are to begin here.
    package func hosts(withJobs least: Int) -> [String] {
        var counts: [String: Int] = [:]
        for job in held.values where [.ready, .running, .parking].contains(job.phase) {
            counts[job.job.host, default: 0] += 1
        }
        return counts.filter { $0.value >= least }.keys.sorted()
    }
}
