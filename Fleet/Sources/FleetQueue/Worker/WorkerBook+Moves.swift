extension WorkerBook {
    /// The bytes from which on a job is no small file, although it has not lasted for a second.
    static let largeCount: Int64 = 1 << 20

    /// The most jobs whose counts are told between two beats.
    static let mostMoves = 500

    /// Whether jobs have begun and not ended, without a look at each of them.
    package var isRunning: Bool { !running.isEmpty }

    /// The counts of running jobs, for windows; asked for once a second, so that small files are no part of them.
    package mutating func moves() -> [JobMove] {
        var moves: [JobMove] = []
        for job in held.values where job.phase == .running {
            let id = job.job.id
            if let received = job.received, job.lasts || received >= Self.largeCount {
                moves.append(JobMove(id: id, epoch: job.job.epoch, received: received, total: job.total))
            }
            held[id]?.lasts = true
        }
        return Array(moves.sorted { $0.id < $1.id }.prefix(Self.mostMoves))
    }
}
