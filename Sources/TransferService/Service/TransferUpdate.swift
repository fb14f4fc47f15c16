/// The changes since a subscriber's last read, with the values at this read.
///
/// A row comes once however often it has changed: a slow subscriber gets the newest state, not a history.
package struct TransferUpdate: Sendable, Equatable, Codable {
    /// The byte counts of a running transfer.
    package struct Progress: Sendable, Equatable, Codable {
        package var id: UInt64
        /// The task's URL; nil for a subscriber that does not want it.
        package var url: String?
        package var figures: TransferEvent.Figures
    }

    /// Whether unread notices were dropped: the subscriber must request its rows again.
    package var isCut = false
    /// Events and notices that concern no single row, in their order.
    package var notices: [TransferNotice] = []
    /// The rows that have changed in more than numbers; for a subscriber that shows rows.
    package var rows: [RowSnapshot] = []
    /// The rows that have changed only in numbers.
    package var figures: [RowFigures] = []
    /// For a subscriber that prints progress.
    package var progress: [Progress] = []

    package init(isCut: Bool = false, notices: [TransferNotice] = []) {
        (self.isCut, self.notices) = (isCut, notices)
    }

    /// Whether it tells of a transfer, and not of limits and hosts alone.
    package var concernsTransfers: Bool {
        let isNews = notices.contains { notice in
            switch notice {
            case .event, .removed, .idle: true
            case .changed, .moved, .backoffs, .limited, .bounded, .configured, .complaint, .resolved, .saving, .saved:
                false
            }
        }
        return isNews || !rows.isEmpty || !figures.isEmpty
    }

    package var isEmpty: Bool {
        !isCut && notices.isEmpty && rows.isEmpty && figures.isEmpty && progress.isEmpty
    }
}
