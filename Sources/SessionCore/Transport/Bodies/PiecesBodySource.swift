/// A body of several pieces, one after the other.
///
/// Confined to the transfer loop.
final class PiecesBodySource: BodySource {
    private let pieces: [any BodySource]
    /// The length of each; nil for one that is read until its end.
    private let lengths: [Int64?]
    private var current = 0

    /// Opens the files among the pieces.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` with a message that names the first file that cannot be opened.
    init(_ pieces: [BodyPiece], wake: @escaping @Sendable () -> Void) throws(SessionError) {
        var sources: [any BodySource] = []
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): sources.append(BytesBodySource(bytes))
            case .file(let path): sources.append(try FileBodySource.source(path: path, wake: wake))
            case .stream:
                throw SessionError(.invalidRequest, BodyErrors.streamAmongPieces)
            }
        }
        self.pieces = sources
        lengths = sources.map(\.length)
    }

    var length: Int64? {
        var sum: Int64 = 0
        for length in lengths {
            guard let length else { return nil }
            sum += length
        }
        return sum
    }
    var canRewind: Bool { pieces.allSatisfy(\.canRewind) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        var count = 0
        while current < pieces.count, count < buffer.count {
            switch pieces[current].read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])) {
            case .bytes(let more): count += more
            case .end: current += 1
            case .wait: return count > 0 ? .bytes(count) : .wait
            case .failed(let error): return .failed(error)
            }
        }
        return count > 0 ? .bytes(count) : .end
    }

    func seek(to offset: Int64) -> Bool {
        guard offset > 0 else {
            current = 0
            return offset == 0 && pieces.allSatisfy { $0.seek(to: 0) }
        }
        let lengths = lengths.compactMap(\.self)
        guard lengths.count == pieces.count else { return false }
        var rest = offset
        current = pieces.count
        for index in pieces.indices {
            let here = min(rest, lengths[index])
            guard pieces[index].seek(to: here) else { return false }
            if here < lengths[index], current == pieces.count { current = index }
            rest -= here
        }
        return rest == 0
    }
}
