import SessionSupport

/// The upload URLs of a session, for tasks that are recreated under their numbers.
///
/// A class because the store's thread and the threads that make tasks share it. Only resumable uploads are in it.
final class UploadLocations: Sendable {
    private struct Entry {
        /// The URL of the request, without secrets.
        var url: String
        var location: UploadLocation
    }

    private let entries = Locked<[TransferID: Entry]>([:])

    var isEmpty: Bool { entries.withLock(\.isEmpty) }

    func note(_ transfer: StoredTransfer) { note(transfer.request.uploadLocation, of: transfer.id, transfer.request) }

    /// Remembers the URL of a request's upload; nil forgets it.
    func note(_ location: UploadLocation?, of id: TransferID, _ request: TransferRequest) {
        guard location != nil || request.uploadPlan != nil else { return }
        let url = Redaction.url(request.url, userInfo: .removed)
        entries.withLock { $0[id] = location.map { Entry(url: url, location: $0) } }
    }

    /// Remembers the URLs of ended transfers that may be recreated, unless a newer one is known.
    func note(ended transfers: [StoredTransfer]) {
        for transfer in transfers where transfer.standing != .completed {
            guard let location = transfer.request.uploadLocation else { continue }
            let url = Redaction.url(transfer.request.url, userInfo: .removed)
            entries.withLock { entries in
                if entries[transfer.id] == nil { entries[transfer.id] = Entry(url: url, location: location) }
            }
        }
    }

    /// Adds the upload's URL to a request with the same URL.
    func complete(_ request: inout TransferRequest, of id: TransferID) {
        guard request.uploadPlan != nil, request.uploadLocation == nil else { return }
        let url = Redaction.url(request.url, userInfo: .removed)
        guard let entry = entries.withLock({ $0[id] }), entry.url == url else { return }
        request.uploadLocation = entry.location
    }

    /// Adds the upload's URL to a change that stores a transfer again; forgets it when the upload is complete or removed.
    ///
    /// A response with an error status completes a transfer, and the server still has what it has stored.
    func complete(_ change: TaskStoreChange) -> TaskStoreChange {
        switch change {
        case .add(var transfer):
            complete(&transfer.request, of: transfer.id)
            return .add(transfer)
        case .ended(let id, let end) where end.standing == .completed && end.statusCode.map({ $0 < 300 }) != false:
            forget(id)
        case .remove(let id): forget(id)
        case .wanted, .waiting, .finishing, .ended, .parked, .part, .label, .annotation, .position, .upload,
            .progress:
            break
        }
        return change
    }

    private func forget(_ id: TransferID) {
        entries.withLock { $0[id] = nil }
    }
}
