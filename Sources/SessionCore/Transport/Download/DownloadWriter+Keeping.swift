/// The bytes kept of a download that pauses, waits or ends without its file.
extension DownloadWriter {
    /// Truncates the partial file at an offset, and drops the branches' bytes beyond it.
    func cutPart(to length: Int64) {
        guard let part else { return }
        storage {
            do throws(SessionError) {
                try part.truncate(to: length)
                try part.checkpoint(offset: length)
                return .done
            } catch {
                return .notSecured(error)
            }
        }
    }

    /// Writes the buffer to the partial file: a pause may be long, and a killed process loses the bytes in memory.
    func paused() {
        guard let part else {
            if !buffer.isEmpty, mayAskForRest { makePart() }
            return
        }
        if let error = writeBuffer() {
            core.transfer(id)?.fail(error)
        } else if let segments {
            part.hold(segments.written(lead: written))
        }
    }

    /// Writes the buffer and records how far the partial file reaches, so that another run can continue it.
    func flush() {
        guard let site, evidence != nil else { return }
        if part == nil, !buffer.isEmpty, mayAskForRest { makePart() }
        onceIdle { [unowned self] in
            guard let part else { return }
            if let error = writeBuffer() {
                core.transfer(id)?.fail(error)
                return
            }
            let length = written
            let beyond = beyond
            storage {
                site.record(part, length: length, beyond: beyond)
                return .done
            }
        }
    }

    func close(keeps: Bool, _ done: @escaping () -> Void) {
        onceIdle { [unowned self] in
            guard site != nil, part != nil || previous != nil || (keeps && mayAskForRest && !buffer.isEmpty) else {
                done()
                return
            }
            jobs.closing = done
            closePart(keeps: keeps)
        }
    }

    /// Whether a later run could continue the partial file with a proof: a checksum, or a comparison of its end.
    private var mayBeProven: Bool {
        guard part != nil, previous == nil, !isStaged, mayAdopt else { return false }
        return evidence.map { $0.resumability(partSize: max(contiguousEnd, 1), hasChecksum: true) != .no } ?? false
    }

    private func closePart(keeps: Bool) {
        guard let site else { return }
        let keepsThis = keeps && (mayAskForRest || mayBeProven)
        if keepsThis { writeBuffer() }
        // The counts stay until storage has reported what it has kept.
        conclusion.keptBytes = received
        let mayGoOn = keepsThis && mayAskForRest
        var metadata = evidence?.metadata
        metadata?.announced = announced
        let end = DownloadSite.End(
            part: part, previous: previous, metadata: metadata, length: written, beyond: beyond,
            rest: part == nil ? buffer : [], keeps: keepsThis, keepsPrevious: keeps, name: target.name)
        segments = nil
        part = nil
        previous = nil
        let control = description.control
        storage {
            var end = end
            // The partial file may have been given up after the end was decided.
            if control.isPartGivenUp { (end.keeps, end.keepsPrevious) = (false, false) }
            return .closed(site.close(end), mayGoOn: mayGoOn)
        }
    }
}
