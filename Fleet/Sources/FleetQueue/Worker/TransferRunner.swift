/// What carries out a worker's jobs.
///
/// All calls come from the worker's thread. The runner rings the worker's bell when it has reports.
package protocol TransferRunner: AnyObject {
    func start(_ job: ClaimedJob)
    /// Stops a job and keeps its part; `stopped` is reported, or an end that came first.
    func stop(_ id: Int64)
    /// Limits a running job to some bytes per second, or no longer.
    func limit(_ id: Int64, to rate: Int64?)
    /// Answers a runner that has reported that it asks: the job is still this worker's.
    func finish(_ id: Int64)
    /// Returns the reports since the last call.
    func takeReports() -> [JobReport]
    /// The jobs that had no room here and have none now.
    var misfits: [Int64] { get }
}

extension TransferRunner {
    package func limit(_ id: Int64, to rate: Int64?) {}
    package func finish(_ id: Int64) {}
    package var misfits: [Int64] { [] }
}
