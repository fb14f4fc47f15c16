import SessionSupport

/// Where the uploads of a session were begun, for tasks that are made again under their numbers.
///
/// A class, because the store's thread and those that make tasks share it. Only uploads that ask for it are in it.
final class UploadLocations: Sendable {
    private struct Entry {
        /// The URL of the request, without secrets.
        var url: String
        var place: UploadLocation
    }

    private let entries = Locked<[TransferID: Entry]>([:])

    /// Whether there is none.
    var isEmpty: Bool { entries.withLock(\.isEmpty) }

    /// Remembers the place of a stored transfer.
    func note(_ transfer: StoredTransfer) { note(transfer.request.uploadLocation, of: transfer.id, transfer.request) }

    /// Remembers where a request's upload was begun; nil forgets it.
    func note(_ place: UploadLocation?, of id: TransferID, _ request: TransferRequest) {
        guard place != nil || request.uploadPlan != nil else { return }
        let url = Redaction.url(request.url, userInfo: .removed)
        entries.withLock { $0[id] = place.map { Entry(url: url, place: $0) } }
    }

    /// Remembers the places of transfers that have ended and may be made again, unless something newer is known of them.
    func note(ended transfers: [StoredTransfer]) {
        for transfer in transfers where transfer.standing != .completed {
            guard let place = transfer.request.uploadLocation else { continue }
            let url = Redaction.url(transfer.request.url, userInfo: .removed)
            entries.withLock { entries in
                if entries[transfer.id] == nil { entries[transfer.id] = Entry(url: url, place: place) }
            }
        }
    }

    /// Gives a request that goes to the same URL the place where its upload was begun.
    func complete(_ request: inout TransferRequest, of id: TransferID) {
        guard request.uploadPlan != nil, request.uploadLocation == nil else { return }
        let url = Redaction.url(request.url, userInfo: .removed)
        guard let entry = entries.withLock({ $0[id] }), entry.url == url else { return }
        request.uploadLocation = entry.place
    }

    /// A change that writes a transfer down anew keeps the place of its upload; one that ends or removes it forgets that.
    func complete(_ change: TaskStoreChange) -> TaskStoreChange {
        switch change {
        case .add(var transfer):
            complete(&transfer.request, of: transfer.id)
            return .add(transfer)
        case .ended(let id, let end) where end.standing == .completed: forget(id)
        case .remove(let id): forget(id)
        case .wanted, .waiting, .finishing, .ended, .parked, .label, .position, .upload, .progress: break
        }
        return change
    }

    private func forget(_ id: TransferID) {
        entries.withLock { $0[id] = nil }
    }
}
