import SessionSupport
import TransferService

/// The job that the open form was filled with: the service refuses to replace another one.
///
/// Safe from any thread.
final class EditedJobs: Sendable {
    private let job = Locked<(id: UInt64, job: Job)?>(nil)

    /// The job of a row, as the form shows it from now on; nil for a missing row.
    func open(_ id: UInt64, in service: any TransferService) -> Job? {
        let found = service.jobs(of: [id]).first
        job.withLock { $0 = found.map { (id, $0) } }
        return found
    }

    /// The job that a row had when its form was opened; nil for a form of another row.
    subscript(id: UInt64) -> Job? { job.withLock { $0?.id == id ? $0?.job : nil } }
}
