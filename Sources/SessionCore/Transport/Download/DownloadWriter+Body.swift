/// The hot path: chunks become buffers, full buffers go to the part, and from time to time the part to the disk.
extension DownloadWriter: BodySink {
    func receive(_ bytes: UnsafeRawBufferPointer) -> SinkResult {
        var chunk = bytes
        if plan.overlap > 0 {
            let count = Int(min(plan.overlap, Int64(chunk.count)))
            guard repeatsPart(UnsafeRawBufferPointer(rebasing: chunk[..<count])) else { return differs() }
            plan.overlap -= Int64(count)
            if plan.overlap == 0 { partMatches() }
            chunk = UnsafeRawBufferPointer(rebasing: chunk[count...])
        }
        if plan.isUncompared, !chunk.isEmpty {
            plan.isUncompared = false
            if areFalse(chunk, of: sources?.board.lead ?? 0) { return overran() }
        }
        let hasSurplus = plan.allowance.map { Int64(chunk.count) > $0 } ?? false
        if hasSurplus, let allowance = plan.allowance {
            chunk = UnsafeRawBufferPointer(rebasing: chunk[..<Int(allowance)])
        }
        if let result = gather(chunk) { return result }
        if let allowance = plan.allowance {
            plan.allowance = allowance - Int64(chunk.count)
            // What comes next is another connection's; the end of the answer itself leaves the connection for another one.
            if allowance == Int64(chunk.count), segments != nil, front < plan.answerEnd { return .enough }
        }
        guard hasSurplus else { return .received }
        // Where the answer itself was to end here, it was not what it said.
        return front >= plan.answerEnd ? overran() : .enough
    }

    /// The answer is not the range that it names.
    private func overran() -> SinkResult {
        guard history.mayRestart else {
            return .failed(SessionError(.badResponse, ResumeReasons.again(ResumeReasons.overran)))
        }
        return .overran
    }

    /// What is here is not what the server has.
    private func differs() -> SinkResult {
        if plan.isOfBranch { return overran() }
        if evidence?.facts.strongValidator != nil { core.falseServers.add(asked) }
        if let sources, isForeign(sources.board.lead) { return .differs }
        guard history.mayRestart else {
            return .failed(history.giveUp(ResumeReasons.bytesDiffer, isOtherFile: true))
        }
        history.restarts += 1
        return .differs
    }

    /// Takes a chunk into the buffer or the part; nil when all of it was taken.
    private func gather(_ chunk: UnsafeRawBufferPointer) -> SinkResult? {
        let limit = part == nil && isSmall ? BufferSizes.full : core.buffers.gathered
        if buffer.count + chunk.count > limit {
            guard let part else { return .wait }
            if let error = writeBuffer() { return .failed(error) }
            guard chunk.count < limit else {
                let offset = written
                if let error = put(chunk, into: part) { return .failed(error) }
                secureIfDue(part, from: offset)
                return nil
            }
        }
        if buffer.isEmpty { emptiedAt = core.now }
        buffer.append(contentsOf: chunk)
        if part != nil, core.now - emptiedAt >= bufferAge, let error = writeBuffer() { return .failed(error) }
        return nil
    }

    /// The server that answers has the bytes of the part, so that what it says of them counts from here on.
    private func partMatches() {
        sources?.leadMatches()
        let isOfReference = sources.map { !isForeign($0.board.lead) } ?? true
        guard isOfReference, var facts = evidence?.facts, !facts.isSource(asked) else { return }
        facts.finalURL = asked
        evidence = .stored(facts)
    }

    /// Compares bytes that the server sent again with those at the end of the part.
    private func repeatsPart(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if writeBuffer() != nil { return false }
        guard part == nil else { return (try? part?.matches(bytes, at: written - plan.overlap)) ?? false }
        let place = Int(front - plan.overlap)
        guard place >= 0, place + bytes.count <= buffer.count else { return false }
        return buffer[place..<place + bytes.count].elementsEqual(bytes)
    }

    /// Writes what is gathered.
    ///
    /// Returns the error when the disk refuses it.
    @discardableResult
    func writeBuffer() -> SessionError? {
        guard let part, !buffer.isEmpty else { return nil }
        let offset = written
        if let error = buffer.withUnsafeBytes({ put($0, into: part) }) { return error }
        // One that was made while fewer transfers ran is more than there is room for now.
        buffer.removeAll(keepingCapacity: buffer.capacity <= 2 * core.buffers.gathered)
        secureIfDue(part, from: offset)
        return nil
    }

    /// Writes bytes behind what stands in the part.
    private func put(_ bytes: UnsafeRawBufferPointer, into part: PartFile) -> SessionError? {
        do throws(SessionError) {
            try part.write(bytes, at: written)
            written += Int64(bytes.count)
            return nil
        } catch {
            return error
        }
    }

    /// Has what was written behind an offset brought to the disk, when it is time.
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

    /// Lets a storage thread bring what is written to the disk, so that a power cut costs little.
    ///
    /// The size of a part that several connections write says nothing, so the first checkpoint comes where that is memory too:
    /// it costs nothing there.
    ///
    /// The first bytes of a part begin the count. One job at a time: a disk that is slower than the network has to be
    /// waited for anyway.
    private func secure(_ part: PartFile, from offset: Int64, reach: Int64) {
        guard pace != nil else {
            pace = CheckpointPace(offset: offset, time: core.now)
            return
        }
        let checkpoints = core.loop.checkpoints
        guard jobs.count == 0, !isStaged, mayAskForRest,
            checkpoints.concerns(part) || part.isSparse && !part.folder.isRemote, checkpoints.enter()
        else { return }
        pace = CheckpointPace(offset: reach, time: core.now)
        let length = written
        let beyond = beyond
        storage {
            defer { checkpoints.leave() }
            do throws(SessionError) {
                try part.secure(upTo: length, beyond: beyond, with: checkpoints.disk)
                return .done
            } catch {
                return .notSecured(error)
            }
        }
    }
}
