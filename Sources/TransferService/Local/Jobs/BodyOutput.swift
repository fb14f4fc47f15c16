import Foundation
import Glibc
import SessionCore
import SessionSupport

/// Writes a streamed body to standard output, to a device, or into a file that gets its name only when the body is
/// complete.
///
/// A reader that has stopped, or does not exist yet, keeps a writer waiting, so each output of that kind has a queue
/// for ``perform(_:)``. Called from there, or from the session's delegate queue, one chunk after the other.
final class BodyOutput: Sendable {
    enum Failure: Error, Sendable, Equatable {
        /// The reader of standard output closed its end.
        case readerGone
        /// The path names a folder, pipe, socket or disk.
        case notAFile
        /// The body contains zero bytes, which a terminal must not receive.
        case notText
        /// The body is not the requested file; the text is a sentence.
        case otherFile(String)
        case system(errno: Int32)

        /// Whether nothing more can be written, not even the end of a line.
        fileprivate var isOfWriting: Bool {
            switch self {
            case .readerGone, .notAFile, .notText, .system: true
            case .otherFile: false
            }
        }
    }

    private enum Sink: Sendable {
        case descriptor(Int32)
        /// A pipe without a reader: it is opened for the first byte.
        case pipe
        case file(OutputFile)
    }

    private struct State {
        /// The writer of the body; nil once the body has ended.
        var sink: Sink?
        var isDropping = false
        /// Whether its transfer was cancelled, so that no end waits for a reader.
        var isAbandoned = false
        var failure: Failure?
        /// Makes the body harmless for a terminal; nil where bytes are written unchanged.
        var terminalText: TerminalText?
        /// Whether the response's head comes first and has not been written yet.
        var wantsHead = false
        /// The line in front of the response where several share one stream; nil for none, and once it is written.
        var title: BodyTitle?
        /// See ``BodyOutput/note``.
        var note: String?
        var head: ResponseHead?
        /// Whether bytes wait until ``BodyOutput/release()``, because another response may take their place.
        var isBuffered = false
        /// The body so far, for conditions; nil where none reads it.
        var copy: BodyCopy?
        /// The check of the body; nil when neither checksum nor length is known.
        var proof: BodyProof?
        /// Bytes that arrived during another body's turn.
        var waiting = WaitingBytes()

        /// Returns the bytes of the head, only once.
        mutating func takeHead() -> [UInt8]? {
            guard wantsHead, !isDropping, failure == nil, sink != nil, let head else { return nil }
            wantsHead = false
            let bytes = HeadText.bytes(of: head, hidingSecrets: terminalText != nil)
            return terminalText == nil ? bytes : terminalText?.add(bytes)
        }

        /// Returns the line in front of the response, only once, and not before the head is known.
        mutating func takeTitle() -> [UInt8]? {
            guard let title, let head else { return nil }
            self.title = nil
            return title.line(head)
        }
    }

    /// What to do with a chunk, decided under the lock.
    private enum Step {
        case drop
        case refuse(Failure)
        case write([UInt8], Sink)
    }

    /// The path of the file; nil for standard output.
    let path: String?
    /// The shared stream and its turns; nil for a file or a device.
    private let shared: (descriptor: Int32, turns: BodyTurns)?
    private let isTitled: Bool
    /// The queue of its writes; nil for a file.
    private let queue: DispatchQueue?
    private let state: Locked<State>

    private init(
        path: String?, _ sink: Sink, shared: (descriptor: Int32, turns: BodyTurns)? = nil,
        terminalText: TerminalText? = nil, wantsHead: Bool, title: BodyTitle? = nil, proof: BodyProof? = nil
    ) {
        (self.path, self.shared, isTitled) = (path, shared, title != nil)
        queue =
            switch sink {
            case .file: nil
            case .descriptor, .pipe: shared?.turns.queue ?? DispatchQueue(label: "netdash.output")
            }
        state = Locked(State(sink: sink, terminalText: terminalText, wantsHead: wantsHead, title: title, proof: proof))
    }

    deinit {
        if path != nil, case .descriptor(let descriptor) = state.withLock(\.sink) { close(descriptor) }
    }

    /// A body on standard output: raw for a file or a program, harmless text for a terminal.
    static func standardOutput(
        _ descriptor: Int32 = STDOUT_FILENO, turns: BodyTurns = .standardOutput, wantsHead: Bool = false,
        title: BodyTitle? = nil, proof: BodyProof? = nil
    ) -> BodyOutput {
        let isTerminal = isatty(descriptor) == 1
        return BodyOutput(
            path: nil, .descriptor(descriptor), shared: (descriptor, turns),
            terminalText: isTerminal ? TerminalText() : nil, wantsHead: wantsHead, title: title, proof: proof)
    }

    /// A body in a file, or on an existing device or pipe such as `/dev/null`.
    ///
    /// A file gets its name when the body is complete; until then an existing file of that name stays unchanged.
    static func file(
        _ path: String, wantsHead: Bool = false, proof: BodyProof? = nil
    ) throws(Failure) -> BodyOutput {
        let output = OutputPath(path)
        switch output {
        case .folder: throw .notAFile
        case .open, .special:
            let descriptor = output.opened(path)
            guard descriptor >= 0 else {
                guard errno == ENXIO, Self.isPipe(path) else { throw .system(errno: errno) }
                return BodyOutput(path: path, .pipe, wantsHead: wantsHead, proof: proof)
            }
            return BodyOutput(path: path, .descriptor(descriptor), wantsHead: wantsHead, proof: proof)
        case .file:
            do throws(SessionError) {
                return BodyOutput(
                    path: path, .file(try OutputFile(path: path)), wantsHead: wantsHead, proof: proof)
            } catch {
                throw Self.failure(error)
            }
        }
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private static func failure(_ error: SessionError) -> Failure {
        switch error.code {
        case .destinationIsFolder, .destinationExists: .notAFile
        default: .system(errno: error.errno ?? EIO)
        }
    }

    // MARK: - Waits for a reader

    /// Whether a reader can keep its writers waiting.
    var mayWait: Bool { queue != nil }

    /// Whether nothing waits for its reader any more.
    var isAbandoned: Bool { state.withLock(\.isAbandoned) }

    /// Runs work in the order of the calls: on the output's queue, or at once for a file.
    func perform(_ work: @escaping @Sendable (BodyOutput) -> Void) {
        guard let queue else { return work(self) }
        queue.async { work(self) }
    }

    /// Drops what has not been written, because the transfer was cancelled; returns false after a failure, which is
    /// told instead.
    ///
    /// A write that waits for a reader keeps its thread until the reader goes on or ends.
    func abandon() -> Bool {
        let (isAbandoned, isUnopened) = state.withLock { state -> (Bool, Bool) in
            guard state.failure == nil else { return (false, false) }
            (state.isDropping, state.isAbandoned, state.title, state.wantsHead) = (true, true, nil, false)
            state.waiting.clear()
            if case .pipe? = state.sink { return (true, true) }
            return (true, false)
        }
        guard isUnopened, let path else { return isAbandoned }
        // The opening of a pipe ends with its first reader.
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if reader >= 0 { perform { _ in close(reader) } }
        return true
    }

    /// Drops what arrives, because the error page of a download is not the download.
    func dropBody() { state.withLock { $0.isDropping = true } }

    /// Keeps a copy of the body for conditions that read it, and holds the body of a response that may not be the last.
    func prepare(for terms: AnswerTerms?) {
        guard let terms else { return }
        state.withLock { state in
            state.isBuffered = terms.isPoll
            if terms.readsBody { state.copy = BodyCopy() }
        }
    }

    /// Holds a body of which nothing was written yet, because another response may take its place.
    func hold() { state.withLock { $0.isBuffered = true } }

    /// Writes what was held.
    func release() -> Failure? {
        let buffered = state.withLock { state -> (WaitingBytes, Sink)? in
            guard state.isBuffered, let sink = state.sink else { return nil }
            state.isBuffered = false
            defer { state.waiting = WaitingBytes() }
            return (state.waiting, sink)
        }
        guard let (buffered, sink) = buffered else { return nil }
        var waiting = buffered
        var failure: Failure?
        waiting.removeAll { bytes in
            failure = write(bytes, to: sink)
            return failure == nil
        }
        return failure
    }

    /// Ends a body that was held, of which nothing is written.
    func discard() {
        state.withLock { state in
            state.waiting.clear()
            (state.isDropping, state.title, state.wantsHead) = (true, nil, false)
        }
        _ = end(isComplete: false)
    }

    /// The copy of the body; nil for one beyond the limit.
    var copied: [UInt8]? { state.withLock { $0.copy.map(\.bytes) ?? [] } }

    /// Stores the response's head, which is written in front of the body if requested; the latest one before the first
    /// byte counts.
    func setHead(_ head: ResponseHead) { state.withLock { $0.head = head } }

    /// Writes a chunk; after a failure it writes nothing more.
    func write(_ bytes: [UInt8]) -> Failure? {
        let (head, step) = state.withLock { state -> ([UInt8]?, Step) in (state.takeHead(), Self.step(bytes, &state)) }
        if let head, let failure = writeHead(head) { return failure }
        switch step {
        case .drop: return nil
        case .refuse(let failure): return failure
        case .write(let bytes, let sink): return write(bytes, to: sink)
        }
    }

    private static func step(_ bytes: [UInt8], _ state: inout State) -> Step {
        guard !state.isDropping, state.failure == nil, let sink = state.sink else { return .drop }
        if let words = state.proof?.add(bytes, after: state.head) {
            state.failure = .otherFile(words)
            return .refuse(.otherFile(words))
        }
        state.copy?.add(bytes)
        guard state.terminalText != nil else { return .write(bytes, sink) }
        guard let text = state.terminalText?.add(bytes) else {
            state.failure = .notText
            return .refuse(.notText)
        }
        return .write(text, sink)
    }

    private func writeHead(_ bytes: [UInt8]) -> Failure? {
        state.withLock { $0.sink }.flatMap { write(bytes, to: $0) }
    }

    private func write(_ bytes: [UInt8], to sink: Sink) -> Failure? {
        let isBuffered = state.withLock { state in
            if state.isBuffered { state.waiting.add(bytes) }
            return state.isBuffered
        }
        guard !isBuffered else { return nil }
        let failure: Failure
        switch sink {
        case .descriptor(let descriptor):
            guard shared?.turns.take(self) != false else {
                state.withLock { $0.waiting.add(bytes) }
                return nil
            }
            guard !Descriptor.writeAll(isTitled ? titled(bytes) : bytes, to: descriptor) else { return nil }
            failure = path == nil && errno == EPIPE ? .readerGone : .system(errno: errno)
        case .pipe:
            guard let path else { return nil }
            let descriptor = OutputPath.special.opened(path, waiting: true)
            if descriptor >= 0 {
                let isAbandoned = state.withLock { state in
                    state.sink = .descriptor(descriptor)
                    return state.isAbandoned
                }
                guard !isAbandoned else { return nil }
                return write(bytes, to: .descriptor(descriptor))
            }
            failure = .system(errno: errno)
        case .file(let file):
            do throws(SessionError) {
                return try { () throws(SessionError) in
                    try file.write(bytes)
                    return nil
                }()
            } catch {
                failure = Self.failure(error)
            }
        }
        state.withLock { $0.failure = failure }
        return failure
    }

    /// Puts the line in front of the first bytes, and a line break before it where the stream needs one.
    private func titled(_ bytes: [UInt8]) -> [UInt8] {
        guard let turns = shared?.turns else { return bytes }
        let title = state.withLock { $0.takeTitle() }
        let result = (title.map { turns.separator + $0 } ?? []) + bytes
        turns.record(result)
        return result
    }

    /// Whether it is a pipe that had no reader when it was opened.
    var awaitsReader: Bool { state.withLock { if case .pipe? = $0.sink { true } else { false } } }

    /// A notice about the file's name or folder; nil for none.
    var note: String? { state.withLock { $0.note } }

    /// The verified checksum of the body; nil where none was requested, and before the end.
    var proven: Checksum? { state.withLock { $0.proof?.proven } }

    private func compare() {
        state.withLock { state in
            guard !state.isDropping, state.failure == nil, state.sink != nil else { return }
            state.failure = state.proof?.end().map { .otherFile($0) }
        }
    }

    var hasEnded: Bool { state.withLock { $0.sink == nil } }

    func writeWaiting() -> Failure? {
        guard let shared else { return nil }
        var waiting = state.withLock { state in
            defer { state.waiting = WaitingBytes() }
            return state.waiting
        }
        var failure = isTitled ? write([], to: .descriptor(shared.descriptor)) : nil
        guard failure == nil else { return failure }
        waiting.removeAll { bytes in
            failure = write(bytes, to: .descriptor(shared.descriptor))
            return failure == nil
        }
        return failure
    }

    /// Ends the body.
    ///
    /// A complete body gets its name; an incomplete one leaves no file. Bytes that wait for a turn are written
    /// later.
    func end(isComplete: Bool) -> Failure? {
        defer { shared?.turns.leave(self) }
        if let head = state.withLock({ $0.takeHead() }) { _ = writeHead(head) }
        // A response without a body has its line too.
        if isTitled, let sink = state.withLock({ $0.title == nil ? nil : $0.sink }) { _ = write([], to: sink) }
        if isComplete { compare() }
        let (sink, earlier, text) = state.withLock { state in
            defer { state.sink = nil }
            let text = state.isDropping || state.failure?.isOfWriting == true ? nil : state.terminalText?.end()
            return (state.sink, state.failure, text)
        }
        switch sink {
        case nil, .pipe: return earlier
        case .descriptor(let descriptor):
            if let text { return write(text, to: .descriptor(descriptor)) ?? earlier }
            guard path != nil else { return earlier }
            return close(descriptor) == 0 ? earlier : earlier ?? .system(errno: errno)
        case .file(let file):
            guard isComplete, earlier == nil else {
                file.discard()
                return earlier
            }
            return name(file)
        }
    }

    private func name(_ file: OutputFile) -> Failure? {
        do throws(SessionError) {
            let note = try file.finish()
            state.withLock { $0.note = note }
            return nil
        } catch {
            return Self.failure(error)
        }
    }
}
