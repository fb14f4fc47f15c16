import Foundation
import Glibc
import SessionSupport

/// The ends of a saved session's transfers, in a file beside it that only its user can read.
///
/// The file is a log of JSON lines, to which each end is appended. It has at most twice ``limit`` of them, of which the
/// latest are read. A line that a crash has cut is left out, and any other unreadable line too, which ``damage`` says.
/// Safe from any thread; the file is written on a queue, some entries at a time.
package final class TransferHistory: Sendable {
    /// The number of entries that are kept.
    package static let limit = 10_000

    /// A change of the file; changes are made in the order of the calls.
    private enum Change {
        case add([HistoryEntry])
        /// nil forgets all.
        case forget(Set<HistoryEntry>?)
    }

    private struct State {
        /// The changes that are not made yet.
        var pending: [Change] = []
        var problem: SafeText?
        var damage: SafeText?
        /// The lines of the file; nil before it was read.
        var lineCount: Int?
    }

    private let path: String
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "netdash.history")

    package init(session name: String, folder: String) { path = folder + "/" + name + ".history" }

    /// The sentence about entries that could not be read or written; nil without one.
    package var problem: SafeText? { state.withLock(\.problem) }

    /// The sentence about unreadable lines that the last reading left out; nil without one.
    package var damage: SafeText? { state.withLock(\.damage) }

    /// Adds an entry, which is written soon.
    package func add(_ entry: HistoryEntry) {
        schedule { pending in
            guard case .add(var entries)? = pending.last else { return pending.append(.add([entry])) }
            pending.removeLast()
            entries.append(entry)
            pending.append(.add(entries))
        }
    }

    /// Adds an entry and waits until it is in the file, which a kill does not lose any more.
    package func record(_ entry: HistoryEntry) {
        state.withLock { $0.pending.append(.add([entry])) }
        queue.sync { write() }
    }

    /// The latest entries, newest first; waits for the disk.
    package func entries() -> [HistoryEntry] {
        queue.sync {
            write()
            let lines = contents().split(separator: UInt8(ascii: "\n")).suffix(Self.limit)
            let entries = lines.compactMap(Self.entry)
            // Where the counts agree no line needs a second look.
            let damaged = entries.count == lines.count ? 0 : lines.count(where: Self.isDamaged)
            let damage = damaged == 0 ? nil : ServiceErrors.historyDamaged(SafeText(untrusted: path), damaged)
            state.withLock { $0.damage = damage }
            return entries.reversed()
        }
    }

    /// Forgets entries, soon; nil forgets all.
    package func forget(_ entries: [HistoryEntry]?) {
        let names = entries.map(Set.init)
        schedule { $0.append(.forget(names)) }
    }

    /// Waits until every entry is written.
    package func close() { queue.sync { write() } }

    private func schedule(_ change: (inout [Change]) -> Void) {
        let isFirst = state.withLock { state in
            defer { change(&state.pending) }
            return state.pending.isEmpty
        }
        if isFirst { queue.async { [self] in write() } }
    }

    // MARK: - The file, on the queue

    private func write() {
        let changes = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        for change in changes {
            switch change {
            case .add(let entries): write(entries)
            case .forget(let names?): keep { line in Self.entry(in: line).map { !names.contains($0) } ?? false }
            case .forget(nil): keep { _ in false }
            }
        }
    }

    private func write(_ entries: [HistoryEntry]) {
        // A crash may have left half a line, which the next one must not continue.
        var bytes = state.withLock({ $0.lineCount != nil }) ? [] : begin()
        let encoder = JSONEncoder()
        for entry in entries {
            guard let data = try? encoder.encode(entry) else { continue }
            bytes += data
            bytes.append(UInt8(ascii: "\n"))
        }
        append(bytes)
        let count = state.withLock { state in
            state.lineCount = (state.lineCount ?? 0) + entries.count
            return state.lineCount ?? 0
        }
        if count > 2 * Self.limit { keep { _ in true } }
    }

    /// Counts the lines of the file; returns the line break that an unfinished one lacks.
    private func begin() -> [UInt8] {
        let bytes = contents()
        state.withLock { $0.lineCount = bytes.count { $0 == UInt8(ascii: "\n") } }
        return bytes.last.map { $0 == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")] } ?? []
    }

    private func append(_ bytes: [UInt8]) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return fail(errno) }
        var number: Int32?
        if !Descriptor.writeAll(bytes, to: descriptor) { number = errno }
        if Glibc.close(descriptor) != 0 { number = number ?? errno }
        if let number { fail(number) }
    }

    /// Rewrites the file with some of its latest lines.
    private func keep(_ isKept: (ArraySlice<UInt8>) -> Bool) {
        let lines = contents().split(separator: UInt8(ascii: "\n")).suffix(Self.limit).filter(isKept)
        let bytes = lines.reduce(into: [UInt8]()) { bytes, line in
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        if let number = FileReplacement.write(bytes, to: path, access: .user) { return fail(number) }
        state.withLock { $0.lineCount = lines.count }
    }

    /// The bytes of the file; empty for a missing one.
    private func contents() -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno != ENOENT { fail(errno) }
            return []
        }
        defer { _ = Glibc.close(descriptor) }
        var result: [UInt8] = []
        do throws(Descriptor.ReadError) {
            while let bytes = try Descriptor.read(descriptor, limit: 256 << 10), !bytes.isEmpty { result += bytes }
        } catch {
            fail(error.errno)
        }
        return result
    }

    /// Whether a line is neither an entry nor the beginning of one, which a crash leaves.
    private static func isDamaged(_ line: ArraySlice<UInt8>) -> Bool {
        let isCut = line.starts(with: "{\"".utf8) && line.last != UInt8(ascii: "}")
        return !isCut && entry(in: line) == nil
    }

    /// The entry of a line; nil for a damaged one.
    private static func entry(in line: ArraySlice<UInt8>) -> HistoryEntry? {
        try? JSONDecoder().decode(HistoryEntry.self, from: Data(line))
    }

    private func fail(_ number: Int32) {
        let sentence = ServiceErrors.historyUnusable(SafeText(untrusted: path), SystemWords.text(number))
        state.withLock { $0.problem = sentence }
    }
}
