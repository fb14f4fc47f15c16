import CLinux
import Dashboard
import Foundation
import SessionCore
import Support

/// The row as a saved session keeps it.
extension TransferRow {
    /// Bits of a stored position that hold the place in the queue; those above hold the priority, higher ones first.
    fileprivate static var placeBits: Int64 { 40 }

    /// The row of a stored transfer.
    ///
    /// Its task, when it has one, is given to it by whoever knows it.
    init(restoring stored: StoredTransfer) {
        self.init(id: stored.id.rawValue, job: SavedJob.job(of: stored))
        priority = Int8(clamping: -(stored.position >> Self.placeBits))
        place = UInt64(stored.position & (1 << Self.placeBits - 1))
        lacksSecrets = stored.needsCredentials
        isHeld = !stored.standing.isFinal && stored.wanted == .paused
        path = stored.filePath
        lastStatus.received = stored.counts.received
        lastStatus.sent = stored.counts.sent
        lastStatus.expectedToReceive = stored.counts.expectedToReceive
        lastStatus.expectedToSend = stored.counts.expectedToSend
        result = Self.result(of: stored)
        isEarlier = result != nil
        if let finishedAt = stored.finishedAt {
            let age = max(Date().timeIntervalSince1970 - finishedAt, 0)
            endedAt = cl_monotonic_milliseconds() - Int64(min(age, 1e9) * 1000)
        }
    }

    private static func result(of stored: StoredTransfer) -> TransferResult? {
        switch stored.standing {
        case .unfinished, .finishing:
            return stored.needsCredentials ? .failed(.secretsNotSaved) : nil
        case .completed: return .completed
        case .cancelled: return .cancelled
        case .failed(let code, let message):
            var failure = TransferFailure(SessionError(code, message))
            failure.partPath = stored.partPath
            return .failed(failure)
        }
    }

    /// Its place in the order of a saved session; the number of the row as long as nobody moved it.
    var storedPosition: Int64 { queueKey.storedPosition }

    /// How a saved session takes note of it, without a task or after its end.
    func stored(by factory: TaskFactory) -> StoredTransfer {
        let now = Date().timeIntervalSince1970
        var stored = StoredTransfer(
            id: TransferID(rawValue: id), kind: SavedJob.kind(job.kind), request: factory.request(of: job),
            destination: job.kind == .download ? .target(factory.target(of: job)) : .memory, createdAt: now)
        stored.wanted = isHeld ? .paused : .running
        stored.position = storedPosition
        switch result {
        case nil, .unfinished: break
        case .completed: stored.standing = .completed
        case .cancelled: stored.standing = .cancelled
        case .failed(let failure):
            // What a server or a file's name contributed is kept, the URL's secrets are not.
            let message = failure.message.replacing(job.url, with: Redaction.url(job.url))
            stored.standing = .failed(SessionError.Code(rawValue: failure.kind) ?? .internal, message: message)
            stored.partPath = failure.partPath
        }
        guard isFinal else { return stored }
        stored.counts = StoredTransfer.Counts(
            received: lastStatus.received, sent: lastStatus.sent, expectedToReceive: lastStatus.expectedToReceive,
            expectedToSend: lastStatus.expectedToSend)
        stored.filePath = path
        stored.finishedAt = now
        return stored
    }
}

extension TransferRow.QueueKey {
    /// The place as a saved session keeps it: higher priorities first.
    var storedPosition: Int64 { Int64(truncatingIfNeeded: place) - Int64(priority) << TransferRow.placeBits }
}

extension TransferFailure {
    /// Why a transfer of an earlier run cannot go on by itself.
    static let secretsNotSaved = TransferFailure(
        kind: SessionError.Code.authenticationRequired.rawValue, category: .ordinary,
        message: "its password or token was not saved: add it again in full")
}
