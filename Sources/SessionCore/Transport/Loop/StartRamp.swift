/// How many uploads and downloads may run while a crowd begins: a value.
///
/// What a server sends before its part is made stays in memory: a buffer of libcurl, and a copy of what is left in it. When a thousand
/// downloads began in one turn of the loop, 660 of them waited for storage threads at once, and that moment took 13 MiB
/// more than the rest of the run. A crowd grows in steps instead, and no faster than storage threads work.
struct StartRamp: Sendable, Equatable {
    /// The transfers of a step, and the storage jobs that may wait when the next one begins.
    static let step = 64
    /// As many begin at any time.
    static let few = 2 * step
    /// Milliseconds between two steps, in which most servers have answered: a thousand have begun after a third of a second.
    static let interval: Int64 = 25

    /// The transfers that may run.
    private(set) var ceiling = few
    private var steppedAt: Int64 = 0

    /// Whether another one may begin beside those that run.
    func lets(running: Int) -> Bool { running < ceiling }

    /// Adapts to those that run; called before slots are given away.
    ///
    /// Where many have ended, as many do not begin at once again.
    /// - Parameter storageJobs: those that no thread has begun.
    mutating func adapt(running: Int, now: Int64, storageJobs: @autoclosure () -> Int) {
        ceiling = max(min(ceiling, running + Self.step), Self.few)
        guard running >= ceiling, now - steppedAt >= Self.interval else { return }
        steppedAt = now
        if storageJobs() < Self.step { ceiling = running + Self.step }
    }

    /// When more may begin; nil where nothing here keeps the next one waiting.
    func nextStep(running: Int) -> Int64? { lets(running: running) ? nil : steppedAt + Self.interval }
}
