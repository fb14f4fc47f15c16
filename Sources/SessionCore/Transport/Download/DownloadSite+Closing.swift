/// The partial file kept of a download that ends without its file.
extension DownloadSite {
    /// The state of a download that did not end well.
    struct End: Sendable {
        var part: PartFile?
        var previous: PartFile?
        var metadata: StoredMetadata?
        var length: Int64
        /// Received ranges beyond the front.
        var beyond: [Range<Int64>] = []
        /// Bytes received without a partial file.
        var rest: [UInt8]
        /// Whether the latest bytes are worth keeping.
        var keeps: Bool
        /// Whether the previous generation is worth keeping.
        var keepsPrevious: Bool
        /// The name by which a later run looks for the partial file.
        var name: DownloadTarget.Name

        /// The valid bytes of the latest generation.
        var byteCount: Int64 { PartRanges(contiguousEnd: length, beyond: beyond).byteCount }
    }

    /// The partial file kept of a download that did not end well.
    struct Kept: Sendable {
        var path: String
        /// The valid bytes in it.
        var byteCount: Int64
        /// Whether it belongs to the previous generation.
        var isPrevious: Bool
    }

    /// Closes or deletes the partial files, and returns the one that was kept.
    func close(_ end: End) -> Kept? {
        var end = end
        if end.keeps, end.part == nil, !end.rest.isEmpty, let metadata = end.metadata, end.previous == nil {
            end.part = partOfRest(end.rest, metadata, name: end.name)
            end.length = Int64(end.rest.count)
        }
        let kept = choose(end)
        for part in [end.part, end.previous].compactMap({ $0 }) where part !== kept { part.discard() }
        guard let kept else { return nil }
        // A partial file that another program has removed or renamed is not kept, and its meta would describe nothing.
        guard !kept.isRemoved, !kept.hasLostName else {
            kept.discard()
            return nil
        }
        kept.promise()
        if kept === end.part {
            record(kept, length: end.length, beyond: end.beyond)
        } else {
            record(kept, length: kept.contiguousLength, beyond: kept.rangesBeyond)
        }
        let isPrevious = kept !== end.part
        let byteCount = isPrevious ? kept.byteCount : end.byteCount
        let result = Kept(path: kept.path, byteCount: byteCount, isPrevious: isPrevious)
        kept.close()
        return result
    }

    /// Chooses the partial file to keep: of two generations the one that is worth more.
    private func choose(_ end: End) -> PartFile? {
        let part = end.keeps ? end.part : nil
        guard let previous = end.previous, end.keepsPrevious else { return part }
        guard part != nil else { return previous }
        guard let metadata = end.metadata, let earlier = previous.metadata else {
            return end.byteCount > previous.byteCount ? part : previous
        }
        return metadata.isWorthMore(end.byteCount, than: earlier, previous.byteCount) ? part : previous
    }

    private func partOfRest(
        _ bytes: [UInt8], _ metadata: StoredMetadata, name: DownloadTarget.Name
    ) -> PartFile? {
        guard
            let part = try? PartFile.create(
                in: folder, url: url, name: name, finalName: finalName, metadata: metadata)
        else { return nil }
        let isWritten: Bool = bytes.withUnsafeBytes { (try? part.write($0, at: 0)) != nil }
        guard isWritten else {
            part.discard()
            return nil
        }
        return part
    }
}
