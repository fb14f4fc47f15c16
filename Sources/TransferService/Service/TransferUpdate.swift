/// What has changed since a subscriber read the last time, as values of the moment at which it reads.
///
/// A row is told once however often it has changed: a subscriber that was slow gets the newest state, not a history.
package struct TransferUpdate: Sendable, Equatable, Codable {
    /// The bytes of a transfer that is under way.
    package struct Progress: Sendable, Equatable, Codable {
        package var id: UInt64
        /// Its URL; nil for a subscriber that does not want it.
        package var url: String?
        package var figures: TransferEvent.Figures
    }

    /// Whether news was dropped because it was not read in time: what is known of rows is to be asked for anew.
    package var isCut = false
    /// Events and what concerns no single row, in their order.
    package var notices: [TransferNotice] = []
    /// The rows that have changed in more than numbers; for a subscriber that shows rows.
    package var rows: [RowSnapshot] = []
    /// The numbers of rows that have changed in nothing else.
    package var figures: [RowFigures] = []
    /// The transfers whose bytes have moved; for a subscriber that prints progress.
    package var progress: [Progress] = []

    /// Whether there is nothing new.
    package var isEmpty: Bool {
        !isCut && notices.isEmpty && rows.isEmpty && figures.isEmpty && progress.isEmpty
    }
}
