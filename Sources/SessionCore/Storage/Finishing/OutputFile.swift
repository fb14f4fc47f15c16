import Glibc
import SessionSupport

/// A file that is written as its bytes arrive, in a part next to it, and gets its name when it is complete.
///
/// An existing file of that name keeps its mode, its owner and its links. No file is created before the first byte. A
/// class because it owns the part; its calls must come one after another.
package final class OutputFile: Sendable {
    private struct State {
        var part: PartFile?
        var offset: Int64 = 0
        var isEnded = false
    }

    private let folder: Folder
    private let name: String
    /// The folder of the file if it takes no new file.
    private let home: Folder?
    private let state = Locked(State())

    /// Checks that a file can be written at a path.
    ///
    /// Throws `notFound`, `permission`, `destinationIsFolder`, `destinationExists` and the system's other errors.
    package init(path: String) throws(SessionError) {
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        name = try FileNames.fixed(slash.map { String(path[path.index(after: $0)...]) } ?? path)
        let named = try Folder(path: parent, creating: false)
        let status = named.status(name)
        if let status { try DestinationCheck.checkReplaceable(status, name, in: named) }
        do throws(SessionError) {
            try named.checkWritable()
            (folder, home) = (named, nil)
        } catch {
            guard status != nil, faccessat(named.descriptor, name, W_OK, AT_EACCESS) == 0 else { throw error }
            (folder, home) = (try Folder(path: StagingFolder.ownPath), named)
        }
    }

    deinit { discard() }

    package func write(_ bytes: [UInt8]) throws(SessionError) {
        guard let (part, offset) = try open() else { return }
        try bytes.withUnsafeBytes { raw in
            Result { () throws(SessionError) in try part.write(raw, at: offset) }
        }.get()
        state.withLock { $0.offset += Int64(bytes.count) }
    }

    /// Gives the complete file its name; returns a sentence for the user, or nil.
    ///
    /// A file that cannot have its name is removed.
    package func finish() throws(SessionError) -> String? {
        guard let (part, _) = try open() else { return nil }
        state.withLock { $0.isEnded = true }
        do throws(SessionError) {
            let there = home ?? folder
            if let status = there.status(name) { try DestinationCheck.checkReplaceable(status, name, in: there) }
            return try Finisher.finish(
                part, finalName: name, collision: .overwrite, expectedLength: nil, checksum: nil, home: home
            ).note
        } catch {
            throw part.discard(after: error)
        }
    }

    /// Removes the written bytes, unless the file has its name.
    package func discard() {
        let part = state.withLock { state -> PartFile? in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            return state.part
        }
        part?.discard()
    }

    /// Returns the part, created if needed, and the offset of its next byte; nil when it has ended.
    private func open() throws(SessionError) -> (PartFile, Int64)? {
        let (part, offset, isEnded) = state.withLock { ($0.part, $0.offset, $0.isEnded) }
        guard !isEnded else { return nil }
        if let part { return (part, offset) }
        let made = try PartFile.create(in: folder, url: "", name: .fixed(name), finalName: name, metadata: nil)
        state.withLock { $0.part = made }
        return (made, offset)
    }
}
