import Foundation
import SessionSupport
import TransferService

/// Keeps the file with a service's settings as they are now: a killed service is started again with the limits that it
/// had at the end.
final class StartRecordKeeper: TransferObserver {
    let interest = Interest.least
    private let path: String
    /// The record as it is in the file; nil once that is removed.
    private let record: Locked<StartRecord?>
    private let queue = DispatchQueue(label: "netdash.start-record")

    init(_ record: StartRecord, at path: String) {
        (self.path, self.record) = (path, Locked(record))
        record.write(to: path)
    }

    func receive(_ notice: TransferNotice) {
        guard case .configured(let limits, let plan) = notice else { return }
        queue.async { [self] in
            let changed = record.withLock { record -> StartRecord? in
                guard let old = record else { return nil }
                record?.keep(limits, plan)
                return record == old ? nil : record
            }
            changed?.write(to: path)
        }
    }

    /// Removes the file: the service ends by itself or is told to.
    func remove() {
        queue.sync {
            record.withLock { $0 = nil }
            StartRecord.remove(path)
        }
    }
}

extension StartRecord {
    /// Replaces the limits of a command line.
    mutating func keep(_ limits: TransferLimits, _ plan: RatePlan) {
        let values = [
            ("--limit-rate", plan.download.words), ("--limit-upload", plan.upload.words),
            ("--limit-rate-per-host", plan.perHost.words), ("--limit-rate-per-task", plan.perTask.words),
            ("--max-concurrent", "\(limits.all)"), ("--max-per-host", "\(limits.perHost)"),
        ]
        for (name, value) in values {
            arguments.removeAll { $0.hasPrefix(name + "=") }
            arguments.append(name + "=" + value)
        }
    }
}
