import CLinux
import Foundation
import Glibc
import SessionSupport

/// Gives standard output to one body at a time, so that bodies that arrive together are written one after another.
///
/// The other bodies' bytes wait; see ``WaitingBytes``. Bodies call it from its queue.
final class BodyTurns: Sendable {
    static let standardOutput = BodyTurns()

    private struct State: Sendable {
        var owner: BodyOutput?
        var waiting: [BodyOutput] = []
        var failure: BodyOutput.Failure?
        /// The last byte of titled bodies; nil before the first.
        var lastByte: UInt8?
    }

    private let state = Locked(State())
    /// The queue of all bodies' writes, which wait for the same reader.
    let queue = DispatchQueue(label: "netdash.output")

    /// Whether a body may be written now; otherwise it gets its turn later.
    func take(_ body: BodyOutput) -> Bool {
        state.withLock { state in
            if state.owner == nil { state.owner = body }
            if state.owner === body { return true }
            if !state.waiting.contains(where: { $0 === body }) { state.waiting.append(body) }
            return false
        }
    }

    /// Ends a body's turn, and writes the waiting bytes of the next bodies.
    func leave(_ body: BodyOutput) {
        var next = advance(behind: body)
        while let body = next {
            if let failure = body.writeWaiting() { state.withLock { $0.failure = failure } }
            next = body.hasEnded ? advance(behind: body) : nil
        }
    }

    private func advance(behind body: BodyOutput) -> BodyOutput? {
        state.withLock { state in
            guard state.owner === body else { return nil }
            state.owner = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            return state.owner
        }
    }

    /// The line breaks before the next title: an empty line in between, and none in front of the first.
    var separator: [UInt8] {
        let newline = UInt8(ascii: "\n")
        guard let last = state.withLock({ $0.lastByte }) else { return [] }
        return last == newline ? [newline] : [newline, newline]
    }

    /// Records what a titled body has written.
    func record(_ bytes: [UInt8]) {
        guard let last = bytes.last else { return }
        state.withLock { $0.lastByte = last }
    }

    /// The error of a body that was written after its transfer had ended; nil without one.
    var failure: BodyOutput.Failure? { state.withLock { $0.failure } }
}

/// The copy of a body, up to a limit.
struct BodyCopy: Sendable {
    /// The bytes so far; nil once the body is beyond the limit.
    private(set) var bytes: [UInt8]? = []

    mutating func add(_ more: [UInt8]) {
        guard let count = bytes?.count else { return }
        if count + more.count > Answer.byteLimit { bytes = nil } else { bytes?.append(contentsOf: more) }
    }
}

/// Buffers bytes until their turn: in memory, and beyond a limit in an unnamed file.
struct WaitingBytes: Sendable {
    private static let memoryLimit = 1 << 20

    private var bytes: [UInt8] = []
    private var file: Int32?

    mutating func add(_ more: [UInt8]) {
        bytes += more
        guard bytes.count > Self.memoryLimit else { return }
        if file == nil {
            let folder = open(FileManager.default.temporaryDirectory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            let descriptor = folder >= 0 ? cl_open_unnamed(folder, 0o600) : -1
            if folder >= 0 { close(folder) }
            if descriptor >= 0 { file = descriptor }
        }
        // Without such a file, or on a full disk, the bytes stay in memory.
        guard let file else { return }
        let end = lseek(file, 0, SEEK_END)
        if Descriptor.writeAll(bytes, to: file) { bytes = [] } else if end >= 0 { _ = ftruncate(file, end) }
    }

    /// Removes all bytes unread.
    mutating func clear() {
        if let file { close(file) }
        self = WaitingBytes()
    }

    /// Removes all bytes in order, one chunk at a time; `take` returns whether it wants more.
    mutating func removeAll(_ take: ([UInt8]) -> Bool) {
        defer { self = WaitingBytes() }
        if let file {
            defer { close(file) }
            guard lseek(file, 0, SEEK_SET) == 0 else { return }
            while let piece = try? Descriptor.read(file, limit: 256 << 10), !piece.isEmpty {
                guard take(piece) else { return }
            }
        }
        if !bytes.isEmpty { _ = take(bytes) }
    }
}
