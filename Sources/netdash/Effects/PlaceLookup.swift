import Dashboard
import Foundation
import SessionCore
import Support

/// Looks at the places of downloads that are being typed.
final class PlaceLookup: Sendable {
    /// A queue of its own: the place may be on a disk that takes long to answer.
    private let queue = DispatchQueue(label: "netdash.places")
    /// The number of the question asked last; older ones are not worth an answer any more.
    private let latest = Locked<UInt64>(0)

    /// Answers with a message what lies where a download would go, unless another question comes first.
    func lookUp(_ job: Job, target: DownloadTarget, _ publisher: RowPublisher) {
        let number = latest.withLock { number in
            number += 1
            return number
        }
        queue.async { [latest] in
            guard latest.withLock({ $0 == number }) else { return }
            publisher.post(.lookedUp(job, Self.facts(of: target, url: job.url)))
        }
    }

    private static func facts(of target: DownloadTarget, url: String) -> DestinationFacts {
        // A part is worth a word even when it is not to be gone on with.
        var target = target
        target.adoptsPart = true
        let existing = target.existing(url: url)
        let occupant: DestinationFacts.Occupant? =
            switch existing.occupant {
            case .file: .file
            case .obstacle: .obstacle
            case nil: nil
            }
        return DestinationFacts(occupant: occupant, keptBytes: existing.keptBytes)
    }
}
