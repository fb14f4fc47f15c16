/// The hot path: chunks become buffers, full buffers go to the part.
extension DownloadWriter: BodySink {
    func take(_ bytes: UnsafeRawBufferPointer) -> SinkResult {
        var chunk = bytes
        if overlap > 0 {
            let count = Int(min(overlap, Int64(chunk.count)))
            guard repeatsPart(UnsafeRawBufferPointer(rebasing: chunk[..<count])) else { return .differs }
            overlap -= Int64(count)
            chunk = UnsafeRawBufferPointer(rebasing: chunk[count...])
        }
        let hasSurplus = allowance.map { Int64(chunk.count) > $0 } ?? false
        if hasSurplus, let allowance { chunk = UnsafeRawBufferPointer(rebasing: chunk[..<Int(allowance)]) }
        if buffer.count + chunk.count > Self.bufferSize {
            guard part != nil else { return .wait }
            if let error = writeBuffer() { return .failed(error) }
        }
        if buffer.isEmpty { emptiedAt = core.now }
        buffer.append(contentsOf: chunk)
        if part != nil, core.now - emptiedAt >= Self.bufferAge, let error = writeBuffer() { return .failed(error) }
        if let allowance { self.allowance = allowance - Int64(chunk.count) }
        return hasSurplus ? .enough : .taken
    }

    /// Compares bytes that the server sent again with those at the end of the part.
    private func repeatsPart(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if writeBuffer() != nil { return false }
        return (try? part?.matches(bytes, at: written - overlap)) ?? false
    }

    /// Writes what is gathered.
    ///
    /// Returns the error when the disk refuses it.
    @discardableResult
    func writeBuffer() -> SessionError? {
        guard let part, !buffer.isEmpty else { return nil }
        do throws(SessionError) {
            let offset = written
            let result = buffer.withUnsafeBytes { bytes -> SessionError? in
                do throws(SessionError) {
                    try part.write(bytes, at: offset)
                    return nil
                } catch {
                    return error
                }
            }
            if let result { throw result }
            written += Int64(buffer.count)
            buffer.removeAll(keepingCapacity: true)
            return nil
        } catch {
            return error
        }
    }
}
