/// The sources of one download on the loop: the board, the blocks by which they are compared, and who compares them.
///
/// Confined to the transfer loop; there is none for a download of one source.
final class DownloadSources {
    /// The last block of the file, by which mirrors are compared.
    enum Tail {
        /// Nobody has asked for it.
        case unknown
        /// It is being fetched from a source that is proven.
        case awaited
        case bytes([UInt8])
        /// Nobody gives it beside the whole: the last block that is here has to do.
        case held
    }

    /// Bytes in the first and in the last block.
    static let blockLength: Int64 = 64 << 10

    var board: SourceBoard
    var tail = Tail.unknown
    var probes: [MirrorProbe] = []
    /// Whether the lead's source has the same first block as the part, where that is not proven.
    var leadHasFirstBlock = false
    /// The lead's first block, while it comes to be compared.
    var leadBlock: MemorySink?
    /// The latest failure of a source that may pass.
    var lastPassing: SessionError?
    /// What proves the lead's answers once the bytes it repeats were compared.
    var leadFacts: StoredFacts?
    /// When a connection went from one source to another last, in milliseconds.
    var movedAt: Int64 = 0

    init(_ board: SourceBoard) { self.board = board }

    /// The lead's source turned out to have the bytes at the end of the part.
    func leadMatches() {
        guard let leadFacts, board.isLeadForeign else { return }
        board.prove(board.lead, leadFacts)
        board.isMixed = true
    }

    /// Whether a source is being compared.
    func isProbing(_ index: Int) -> Bool { probes.contains { $0.source == index } }
}

@available(*, unavailable)
extension DownloadSources: Sendable {}

extension DownloadSources {
    /// The sources as everybody may see them.
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
