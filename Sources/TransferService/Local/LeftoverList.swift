package import SessionCore

/// Finds partial files without an owner, prints them as lines, and removes them.
package struct LeftoverList {
    let folders: [String]
    /// The folder of the saved sessions, whose partial files have owners; nil without one.
    let sessions: String?
    /// Seconds since 1970.
    let now: Double

    package init(folders: [String], sessions: String?, now: Double) {
        (self.folders, self.sessions, self.now) = (folders, sessions, now)
    }

    /// Searches the folders, or returns a sentence that says why it cannot.
    ///
    /// `others` are further transfers whose partial files have an owner.
    package func find(beside others: [StoredTransfer] = []) -> Result<Found, Refusal> {
        do throws(SessionError) {
            let saved = try sessions.map { (path) throws(SessionError) in try SavedTransfers(in: path) }
            var found = Found()
            found.unreadable = (saved?.failures ?? []).map { SafeText(untrusted: $0.message) }
            for folder in folders {
                found.parts += try Leftover.find(in: folder, neededBy: (saved?.transfers ?? []) + others)
            }
            return .success(found)
        } catch {
            return .failure(Refusal(sentence: SafeText(untrusted: error.message)))
        }
    }

    package struct Found {
        package var parts: [Leftover] = []
        /// A sentence for each saved session that cannot be read completely: it may need some of the parts.
        package var unreadable: [SafeText] = []
    }

    package struct Refusal: Error, Equatable {
        package var sentence: SafeText
    }

    /// One line for each partial file, and one that says how to remove them, if they can be removed.
    package func lines(_ found: Found, removes: Bool) -> [SafeText] {
        let sum = Self.sum(found.parts)
        let isOffered = !removes && found.unreadable.isEmpty
        let last = found.parts.isEmpty ? ServiceLines.noLeftovers : isOffered ? FailureHints.removeParts(sum) : sum
        return found.parts.map { Self.line($0, now: now) } + [last]
    }

    /// Removes partial files; returns a summary, and a sentence for each that stays.
    ///
    /// All of them stay while a saved session cannot be read.
    package func remove(
        _ parts: [Leftover], unless unreadable: [SafeText]
    ) -> (line: SafeText, complaints: [SafeText]) {
        guard unreadable.isEmpty else { return (ServiceLines.removed(Self.sum([])), [ServiceLines.leftoversKept]) }
        var complaints: [SafeText] = []
        let removed = parts.filter { part in
            do throws(SessionError) {
                if try part.remove() { return true }
                complaints.append(ServiceLines.leftoverInUse(SafeText(untrusted: part.path)))
            } catch {
                complaints.append(SafeText(untrusted: error.message))
            }
            return false
        }
        return (ServiceLines.removed(Self.sum(removed)), complaints)
    }

    /// For example `12.3 MiB  3d     goes on   ./.disk.iso.0a1b2c3d.part  https://host/disk.iso`.
    static func line(_ part: Leftover, now: Double) -> SafeText {
        let line = LeftoverLine(part, now: now)
        let columns = [
            padded(SizeText.long(part.byteCount), 8), padded(LeftoverLine.age(line.age), 4),
            padded(line.meaning.words, 14),
            SafeText(untrusted: part.path), part.url.map { SafeText(maskedURL: $0) } ?? "",
        ]
        return columns.filter { !$0.isEmpty }.joined(by: "  ")
    }

    private static func sum(_ parts: [Leftover]) -> SafeText {
        ServiceLines.leftovers(parts.count, parts.reduce(0) { $0 + $1.byteCount })
    }

    private static func padded(_ text: SafeText, _ width: Int) -> SafeText {
        text + SafeText(untrusted: String(repeating: " ", count: max(width - text.string.count, 0)))
    }
}
