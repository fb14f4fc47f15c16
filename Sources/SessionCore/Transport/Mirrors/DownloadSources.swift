/// The sources of one download on the loop: the board, the blocks to compare, and the probes that compare them.
///
/// Confined to the transfer loop; absent for a download with one source.
final class DownloadSources {
    /// The file's last block, with which mirrors are compared.
    enum Tail {
        /// Not requested yet.
        case unknown
        /// Being fetched from a proven source.
        case awaited
        case bytes([UInt8])
        /// No source sends it as a range: the last block already received is used.
        case received
    }

    /// Bytes in the first and in the last block.
    static let blockLength: Int64 = 64 << 10

    var board: SourceBoard
    var tail = Tail.unknown
    var probes: [MirrorProbe] = []
    /// Whether the lead's source has the same first block as the partial file, though it is not proven.
    var leadHasFirstBlock = false
    /// The lead's first block, while it is received for comparison.
    var leadBlock: MemorySink?
    /// The latest temporary failure of a source.
    var lastPassing: SessionError?
    /// The facts that prove the lead's responses once the repeated bytes were compared.
    var leadMetadata: StoredMetadata?
    /// When a connection last moved from one source to another, in milliseconds.
    var movedAt: Int64 = 0

    init(_ board: SourceBoard) { self.board = board }

    /// Proves the lead's source after the bytes at the end of the partial file matched.
    func leadMatches() {
        guard let leadMetadata, board.isLeadForeign else { return }
        board.prove(board.lead, leadMetadata)
        board.isMixed = true
    }

    /// Returns the request to the lead's source.
    ///
    /// - Parameter original: the request to the first source.
    func leadRequest(_ original: TransferRequest) -> TransferRequest {
        board.lead == 0 ? original : RedirectPolicy.request(original, at: board[board.lead].url)
    }

    /// Whether a source is being probed.
    func isProbing(_ index: Int) -> Bool { probes.contains { $0.source == index } }
}

@available(*, unavailable)
extension DownloadSources: Sendable {}

extension DownloadSources {
    /// Returns the sources for publication.
    func shown(_ loads: [SourceBoard.Load]) -> [DownloadSource] {
        board.sources.indices.map { index in
            let source = board[index]
            let standing: DownloadSource.Status =
                switch source.standing {
                case .dropped(let reason, _): .dropped(reason: reason)
                case .proven: .proven
                case .unproven where index == board.reference: .proven
                case .unproven: isProbing(index) ? .probing : .unproven
                }
            let load = index < loads.count ? loads[index] : SourceBoard.Load()
            return DownloadSource(
                url: source.url, standing: standing, connections: load.connections,
                bytesPerSecond: load.connections > 0 ? load.speed : nil)
        }
    }
}
