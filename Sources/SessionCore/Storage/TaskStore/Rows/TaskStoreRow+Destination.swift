import SessionSupport

/// The columns for a response's destination.
///
/// Folder, name and checksum have their own columns, because they differ for each file of a list. The rest of a target
/// is one text, the target's own coding, so that a new property of targets needs no change here.
extension TaskStoreRow {
    /// The latest rest of a target with its text: most rows of a list share it, and coding it takes longer than the
    /// row.
    private static let latest = Locked<(rest: DownloadTarget, text: String)?>(nil)

    // MARK: Writing

    static func value(of column: TaskStoreColumn, _ destination: StoredTransfer.Destination) -> SQLiteValue {
        switch (column, destination) {
        case (.destination, .memory): .text("memory")
        case (.destination, .staged): .text("staged")
        case (.destination, .target): .text("target")
        case (.folder, .target(let target)): .text(target.folder)
        case (.name, .target(let target)): if case .fixed(let name) = target.name { .text(name) } else { .null }
        case (.checksum, .target(let target)): .optional(target.checksum.map { "\($0.algorithm.rawValue):\($0.hex)" })
        case (.options, .target(let target)): .optional(text(of: target))
        default: .null
        }
    }

    /// Returns a target's properties besides folder, name and checksum; nil for the defaults.
    private static func text(of target: DownloadTarget) -> String? {
        var rest = target
        (rest.folder, rest.name, rest.checksum) = ("", .automatic, nil)
        guard rest != DownloadTarget(folder: "") else { return nil }
        if let latest = latest.withLock({ $0 }), latest.rest == rest { return latest.text }
        let text = JSONText.text(of: rest)
        if let text { latest.withLock { [rest] in $0 = (rest, text) } }
        return text
    }

    // MARK: Reading

    /// Returns the destination of a row; nil if one of its columns is invalid.
    static func destination(_ row: SQLiteStatement) -> StoredTransfer.Destination? {
        switch row.text(.destination) {
        case "memory": return .memory
        case "staged": return .staged
        case "target":
            let name = row.text(.name)
            guard let folder = row.text(.folder), isPlace(folder, name: name),
                var target = rest(row.text(.options))
            else { return nil }
            (target.folder, target.name) = (folder, name.map { .fixed($0) } ?? .automatic)
            if let text = row.text(.checksum) {
                // Without its checksum the download would be accepted unverified.
                guard let checksum = checksum(text) else { return nil }
                target.checksum = checksum
            }
            return .target(target)
        default: return nil
        }
    }

    /// Returns whether the row of a transfer could be read again.
    static func isReadable(_ transfer: StoredTransfer) -> Bool {
        guard URLScan(transfer.request.url).isRequestable else { return false }
        guard case .target(let target) = transfer.destination else { return true }
        let name: String? = if case .fixed(let name) = target.name { name } else { nil }
        return isPlace(target.folder, name: name)
    }

    private static func isPlace(_ folder: String, name: String?) -> Bool {
        !folder.utf8.contains(0) && name.map(isName) ?? true
    }

    /// Returns whether a name can be a file in its folder, but not outside of it.
    private static func isName(_ name: String) -> Bool {
        !["", ".", ".."].contains(name) && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    /// Parses a text of ``text(of:)``; nil for any other text.
    private static func rest(_ text: String?) -> DownloadTarget? {
        guard let text else { return DownloadTarget(folder: "") }
        if let latest = latest.withLock({ $0 }), latest.text == text { return latest.rest }
        guard let written = JSONText.value(DownloadTarget.self, of: text) else { return nil }
        let rest = written.mended
        // A mended target would be written differently, so it is not cached.
        if rest == written { latest.withLock { $0 = (rest, text) } }
        return rest
    }

    private static func checksum(_ text: String) -> Checksum? {
        guard let colon = text.lastIndex(of: ":"),
            let algorithm = Checksum.Algorithm(rawValue: String(text[..<colon]))
        else { return nil }
        let digits = text[text.index(after: colon)...].utf8
        guard digits.count == algorithm.digitCount, digits.allSatisfy({ ByteText.hexadecimalValue($0) != nil }) else {
            return nil
        }
        return Checksum(algorithm: algorithm, hex: String(text[text.index(after: colon)...]))
    }
}

extension DownloadTarget {
    /// The target without unusable mirrors and impossible numbers.
    ///
    /// None of these changes the required file, so the transfer is kept without them.
    fileprivate var mended: DownloadTarget {
        var target = self
        target.mirrors?.urls.removeAll { !URLScan($0).isRequestable }
        if target.mirrors?.length ?? 0 < 0 { target.mirrors?.length = nil }
        if case .exactly(let count)? = segmentation?.connections, !(1...Segmentation.largestCount).contains(count) {
            target.segmentation?.connections = .automatic
        }
        if target.segmentation?.minimumSegment ?? 0 < 0 { target.segmentation = nil }
        return target
    }
}
