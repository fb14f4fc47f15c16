/// A source for a range of a body.
final class PieceBodySource: BodySource {
    private let body: any BodySource
    private let piece: Range<Int64>
    private var offset: Int64 = 0
    private var isPlaced: Bool

    init(_ body: any BodySource, _ piece: Range<Int64>) {
        (self.body, self.piece) = (body, piece)
        isPlaced = body.seek(to: piece.lowerBound)
    }

    var length: Int64? { Int64(piece.count) }
    var canRewind: Bool { body.canRewind }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        guard isPlaced else { return .failed(SessionError(.bodyUnreadable, ResumeErrors.bodyMiddle)) }
        let room = Int(min(Int64(buffer.count), Int64(piece.count) - offset))
        guard room > 0 else { return .end }
        let result = body.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        if case .bytes(let count) = result { offset += Int64(count) }
        return result
    }

    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= Int64(piece.count), body.seek(to: piece.lowerBound + offset) else { return false }
        (self.offset, isPlaced) = (offset, true)
        return true
    }
}
