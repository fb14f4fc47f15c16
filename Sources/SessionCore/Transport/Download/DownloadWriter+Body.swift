/// The hot path: chunks go to the buffer, full buffers to the partial file, and periodically the partial file to the
/// disk.
extension DownloadWriter: BodySink {
    func receive(_ bytes: UnsafeRawBufferPointer) -> SinkResult {
        var chunk = bytes
        if plan.overlap > 0 || plan.isUncompared, let result = compare(&chunk) { return result }
        let hasSurplus = plan.allowance.map { Int64(chunk.count) > $0 } ?? false
        if hasSurplus, let allowance = plan.allowance {
            chunk = UnsafeRawBufferPointer(rebasing: chunk[..<Int(allowance)])
        }
        let limit = part == nil && isSmall ? BufferSizes.full : core.buffers.gathered
        if buffer.count + chunk.count > limit {
            guard part != nil else { return .wait }
            if let error = writeBuffer() { return .failed(error) }
        }
        if let part, chunk.count >= limit {
            let offset = written
            do throws(SessionError) { try part.write(chunk, at: offset) } catch { return .failed(error) }
            written += Int64(chunk.count)
            secureIfDue(part, from: offset)
        } else {
            if buffer.isEmpty { emptiedAt = core.now }
            buffer.append(contentsOf: chunk)
            if part != nil, core.now - emptiedAt >= bufferAge, let error = writeBuffer() { return .failed(error) }
        }
        return use(chunk.count, hasSurplus: hasSurplus)
    }

    /// Compares the bytes that the server was asked for again, and removes them from the chunk; nil if the rest is to be
    /// stored.
    private func compare(_ chunk: inout UnsafeRawBufferPointer) -> SinkResult? {
        if plan.overlap > 0 {
            let count = Int(min(plan.overlap, Int64(chunk.count)))
            do throws(SessionError) {
                guard try repeatsPart(UnsafeRawBufferPointer(rebasing: chunk[..<count])) else { return differs() }
            } catch {
                return .failed(error)
            }
            plan.overlap -= Int64(count)
            if plan.overlap == 0 { partMatches() }
            chunk = UnsafeRawBufferPointer(rebasing: chunk[count...])
        }
        if plan.isUncompared, !chunk.isEmpty {
            plan.isUncompared = false
            if areFalse(chunk, of: sources?.board.lead ?? 0) { return overran() }
        }
        return nil
    }

    /// Takes stored bytes off what the connection may still bring.
    private func use(_ count: Int, hasSurplus: Bool) -> SinkResult {
        if let allowance = plan.allowance {
            plan.allowance = allowance - Int64(count)
            // The bytes behind belong to another connection. A response that ends by itself leaves its connection for
            // another request.
            if allowance == Int64(count), segments != nil, contiguousEnd < plan.answerEnd { return .enough }
        }
        guard hasSurplus else { return .received }
        // A response that was to end here but has more bytes is not the range it named.
        return contiguousEnd >= plan.answerEnd ? overran() : .enough
    }

    /// Handles a response that is not the range it names.
    private func overran() -> SinkResult {
        guard history.mayRestart else {
            return .failed(SessionError(.badResponse, ResumeReasons.again(ResumeReasons.overran)))
        }
        return .overran
    }

    /// Handles received bytes that differ from the server's file.
    private func differs() -> SinkResult {
        if plan.isOfBranch { return overran() }
        if evidence?.metadata.strongValidator != nil { core.falseServers.add(asked) }
        if let sources, isForeign(sources.board.lead) { return .differs }
        guard history.mayRestart else {
            return .failed(history.giveUp(ResumeReasons.bytesDiffer, isOtherFile: true))
        }
        history.restarts += 1
        return .differs
    }

    /// Records that the responding server has the partial file's bytes, so that its facts count from here on.
    private func partMatches() {
        sources?.leadMatches()
        let isOfReference = sources.map { !isForeign($0.board.lead) } ?? true
        guard isOfReference, var metadata = evidence?.metadata, !metadata.isSource(asked) else { return }
        metadata.finalURL = asked
        evidence = .stored(metadata)
    }

    /// Compares bytes that the server sent again with the end of the partial file.
    ///
    /// Throws the error of a disk that does not take the earlier bytes, or give them: it says nothing of the server's.
    private func repeatsPart(_ bytes: UnsafeRawBufferPointer) throws(SessionError) -> Bool {
        if let error = writeBuffer() { throw error }
        if let part { return try part.matches(bytes, at: written - plan.overlap) }
        let offset = Int(contiguousEnd - plan.overlap)
        guard offset >= 0, offset + bytes.count <= buffer.count else { return false }
        return buffer[offset..<offset + bytes.count].elementsEqual(bytes)
    }

    /// Writes the buffer, and returns the error if the disk refuses it.
    @discardableResult
    func writeBuffer() -> SessionError? {
        guard let part, !buffer.isEmpty else { return nil }
        let offset = written
        do throws(SessionError) {
            try buffer.withUnsafeBufferPointer { bytes throws(SessionError) in
                try part.write(UnsafeRawBufferPointer(bytes), at: offset)
            }
        } catch {
            return error
        }
        written += Int64(buffer.count)
        // A buffer from a time with fewer transfers is larger than allowed now.
        buffer.removeAll(keepingCapacity: buffer.capacity <= 2 * core.buffers.gathered)
        secureIfDue(part, from: offset)
        return nil
    }

    /// Secures the bytes written from an offset, if a checkpoint is due.
    func secureIfDue(_ part: PartFile, from offset: Int64) {
        bufferAge = core.buffers.age
        var reach = written
        if let segments {
            let ranges = segments.written(lead: written)
            part.hold(ranges)
            reach = ranges.byteCount
        }
        guard pace.map({ $0.isDue(at: reach, now: core.now, core.loop.checkpoints.limits) }) ?? true else { return }
        secure(part, from: offset, reach: reach)
    }

    /// Lets a storage thread sync the written bytes, so that a power failure costs little.
    ///
    /// The first bytes of a partial file start the count. The size of a file that several connections write says
    /// nothing, so its first checkpoint also runs on a file system in memory, where it costs nothing.
    ///
    /// One job at a time: a disk that is slower than the network has to be waited for anyway.
    private func secure(_ part: PartFile, from offset: Int64, reach: Int64) {
        guard pace != nil else {
            pace = CheckpointPace(offset: segments == nil ? offset : reach, time: core.now)
            return
        }
        let checkpoints = core.loop.checkpoints
        guard jobs.count == 0, !isStaged, mayAskForRest,
            checkpoints.concerns(part) || part.isSparse && !part.folder.isRemote, checkpoints.enter()
        else { return }
        pace = CheckpointPace(offset: reach, time: core.now)
        let length = written
        let beyond = beyond
        let generation = part.generation
        storage {
            defer { checkpoints.leave() }
            do throws(SessionError) {
                try part.secure(upTo: length, beyond: beyond, of: generation, with: checkpoints.disk)
                return .done
            } catch {
                return .notSecured(error)
            }
        }
    }
}
