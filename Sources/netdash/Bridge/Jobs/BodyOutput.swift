import Dashboard
import Glibc
import SessionCore
import SessionSupport

/// A streamed body on its way to standard output, to a device, or into a file that gets its name only when the body
/// is whole.
///
/// Written from the session's delegate queue, one chunk after the other.
final class BodyOutput: Sendable {
    /// The reason why a body cannot be written.
    enum Failure: Error, Sendable, Equatable {
        /// Whoever read standard output has gone.
        case readerGone
        /// A folder, pipe, socket or disk has the name.
        case notAFile
        /// A terminal cannot show it.
        case notText
        /// The body is not the file that was asked for, in a sentence.
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

    private struct State {
        var descriptor: Int32
        var isDropping = false
        var failure: Failure?
        /// The filter that makes the body harmless for a terminal; nil where bytes stay as they are.
        var terminalText: TerminalText?
        /// Whether the head of the response comes first, and has not been written yet.
        var wantsHead = false
        /// The head, once it is known.
        var head: ResponseHead?
        /// What the body is compared with; nil where nothing is known of it.
        var proof: BodyProof?

        /// The bytes of the head, which are written only once.
        mutating func takeHead() -> [UInt8]? {
            guard wantsHead, !isDropping, failure == nil, descriptor >= 0, let head else { return nil }
            wantsHead = false
            let bytes = HeadText.bytes(of: head, hidingSecrets: terminalText != nil)
            return terminalText == nil ? bytes : terminalText?.add(bytes)
        }
    }

    /// The step that a piece of the body leads to, as decided under the lock.
    private enum Step {
        case drop
        case refuse(Failure)
        case write([UInt8], Int32)
    }

    /// The file's final path; nil for standard output.
    let path: String?
    private let partPath: String?
    private let state: Locked<State>

    private init(
        path: String?, partPath: String?, descriptor: Int32, terminalText: TerminalText? = nil, wantsHead: Bool,
        proof: BodyProof? = nil
    ) {
        self.path = path
        self.partPath = partPath
        state = Locked(State(descriptor: descriptor, terminalText: terminalText, wantsHead: wantsHead, proof: proof))
    }

    /// A body on standard output: as it is for a file or a program, as harmless text for a terminal.
    static func standardOutput(
        _ descriptor: Int32 = STDOUT_FILENO, wantsHead: Bool = false, proof: BodyProof? = nil
    ) -> BodyOutput {
        let isTerminal = isatty(descriptor) == 1
        return BodyOutput(
            path: nil, partPath: nil, descriptor: descriptor, terminalText: isTerminal ? TerminalText() : nil,
            wantsHead: wantsHead, proof: proof)
    }

    /// A body in a file, or on the character device of that name, such as `/dev/null`.
    ///
    /// The part beside it is a new file, so an old one of that name is never written into.
    static func file(_ path: String, wantsHead: Bool = false) throws(Failure) -> BodyOutput {
        switch occupant(of: path) {
        case .nothing, .file: return try newFile(path, wantsHead)
        case .characterDevice: return try device(path, wantsHead)
        case .other: throw .notAFile
        }
    }

    private static func device(_ path: String, _ wantsHead: Bool) throws(Failure) -> BodyOutput {
        // A line that nobody answers would hold the thread that opens it; writing waits as usual.
        let descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_WRONLY) == 0 else { throw .system(errno: errno) }
        return BodyOutput(path: path, partPath: nil, descriptor: descriptor, wantsHead: wantsHead)
    }

    private static func newFile(_ path: String, _ wantsHead: Bool) throws(Failure) -> BodyOutput {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let partPath = folder + partName(name)
        let descriptor = open(partPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw .system(errno: errno) }
        return BodyOutput(path: path, partPath: partPath, descriptor: descriptor, wantsHead: wantsHead)
    }

    /// The name of the part, which fits a folder however long the file's own is.
    static func partName(_ name: String) -> String {
        let ending = ".\(getpid()).part"
        let room = JobDestination.longestName - 1 - ending.utf8.count
        guard name.utf8.count > room else { return "." + name + ending }
        // Long names may begin alike.
        let mark = "." + StableHash.hexadecimal(name.utf8)
        var kept = ""
        for character in name {
            guard kept.utf8.count + character.utf8.count + mark.utf8.count <= room else { break }
            kept.append(character)
        }
        return "." + kept + mark + ending
    }

    /// The kind of thing that has a name already: a user who may write to a folder of devices must not lose one of them to a body.
    private enum Occupant {
        case nothing, file, characterDevice, other
    }

    private static func occupant(of path: String) -> Occupant {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return .nothing }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFCHR: return .characterDevice
        default: return .other
        }
    }

    /// Whether a file may take a name.
    private static func mayReplace(_ path: String) -> Bool {
        switch occupant(of: path) {
        case .nothing, .file: true
        case .characterDevice, .other: false
        }
    }

    /// Whether what arrives is thrown away: the error page of a download is not the download.
    func dropBody() { state.withLock { $0.isDropping = true } }

    /// Stores the head of the response, which is written in front of the body where that was asked for; the latest one
    /// before the first byte counts.
    func setHead(_ head: ResponseHead) { state.withLock { $0.head = head } }

    /// Adds a chunk.
    ///
    /// After a failure nothing more is written.
    func write(_ bytes: [UInt8]) -> Failure? {
        let (head, step) = state.withLock { state -> ([UInt8]?, Step) in (state.takeHead(), Self.step(bytes, &state)) }
        if let head, let failure = writeHead(head) { return failure }
        switch step {
        case .drop: return nil
        case .refuse(let failure): return failure
        case .write(let bytes, let descriptor): return write(bytes, to: descriptor)
        }
    }

    private static func step(_ bytes: [UInt8], _ state: inout State) -> Step {
        guard !state.isDropping, state.failure == nil, state.descriptor >= 0 else { return .drop }
        if let words = state.proof?.add(bytes, after: state.head) {
            state.failure = .otherFile(words)
            return .refuse(.otherFile(words))
        }
        guard state.terminalText != nil else { return .write(bytes, state.descriptor) }
        guard let text = state.terminalText?.add(bytes) else {
            state.failure = .notText
            return .refuse(.notText)
        }
        return .write(text, state.descriptor)
    }

    private func writeHead(_ bytes: [UInt8]) -> Failure? {
        write(bytes, to: state.withLock { $0.descriptor })
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) -> Failure? {
        guard !Descriptor.writeAll(bytes, to: descriptor) else { return nil }
        let failure: Failure = path == nil && errno == EPIPE ? .readerGone : .system(errno: errno)
        state.withLock { $0.failure = failure }
        return failure
    }

    /// The checksum that the whole body was found to have; nil where none was asked for, and before the end.
    var proven: Checksum? { state.withLock { $0.proof?.proven } }

    /// Compares the whole body with what it was to be.
    private func compare() {
        state.withLock { state in
            guard !state.isDropping, state.failure == nil, state.descriptor >= 0 else { return }
            state.failure = state.proof?.end().map { .otherFile($0) }
        }
    }

    /// Ends the body.
    ///
    /// A whole body gets its name; anything else leaves no file behind.
    func end(isWhole: Bool) -> Failure? {
        if let head = state.withLock({ $0.takeHead() }) { _ = writeHead(head) }
        if isWhole { compare() }
        let (descriptor, earlier, text) = state.withLock { state in
            defer { state.descriptor = -1 }
            let text = state.isDropping || state.failure?.isOfWriting == true ? nil : state.terminalText?.end()
            return (state.descriptor, state.failure, text)
        }
        if let text, descriptor >= 0 { return write(text, to: descriptor) ?? earlier }
        guard let path, descriptor >= 0 else { return earlier }
        guard let partPath else { return close(descriptor) == 0 ? earlier : earlier ?? .system(errno: errno) }
        let isSynced = fsync(descriptor) == 0
        let syncError = errno
        let isClosed = close(descriptor) == 0
        let hasPlace = Self.mayReplace(path)
        guard isWhole, earlier == nil, isSynced, isClosed, hasPlace else {
            let problem = hasPlace ? Failure.system(errno: syncError) : .notAFile
            let result = earlier ?? (isWhole ? problem : nil)
            return unlink(partPath) == 0 ? result : result ?? .system(errno: errno)
        }
        return rename(partPath, path) == 0 ? nil : .system(errno: errno)
    }
}

/// A body on its way to a terminal: nothing in it can move the cursor, change the direction of writing or hide.
///
/// Whole lines alone come out, so that a line about another transfer never stands in the middle of one; what is longer
/// than a screenful of text comes out in pieces.
struct TerminalText: Sendable {
    /// The number of bytes that may wait for the end of their line.
    private static let longestWait = SafeText.byteLimit

    /// The bytes behind the last line break.
    private var rest: [UInt8] = []
    /// Whether the cursor stands behind something that was written.
    private var isInLine = false

    /// Adds a piece of the body and returns what can be written; nil when the body is no text, which a terminal must
    /// not be sent.
    mutating func add(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.contains(0) else { return nil }
        rest += bytes
        guard let count = countOfReadyBytes else { return [] }
        let text = String(decoding: rest[..<count], as: UTF8.self)
        rest.removeFirst(count)
        return safe(text)
    }

    /// Ends the body and returns what is left of it, with the line break that a last line may lack.
    mutating func end() -> [UInt8] {
        let text = String(decoding: rest, as: UTF8.self)
        rest = []
        let last = safe(text)
        guard isInLine else { return last }
        isInLine = false
        return last + [UInt8(ascii: "\n")]
    }

    /// The number of bytes that can be written: all whole lines, or a long line up to its last whole character.
    private var countOfReadyBytes: Int? {
        if let newline = rest.lastIndex(of: UInt8(ascii: "\n")) { return newline + 1 }
        guard rest.count > Self.longestWait else { return nil }
        var end = rest.count - 1
        while end > rest.count - 4, rest[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }

    private mutating func safe(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var piece = ""
        func flush() {
            result += SafeText(untrusted: piece).string.utf8
            piece = ""
        }
        for character in text {
            switch character {
            case "\n", "\r\n":
                flush()
                result.append(UInt8(ascii: "\n"))
            case "\t":
                flush()
                result.append(UInt8(ascii: "\t"))
            default:
                // Sanitised in pieces, because longer text would be cut.
                if piece.utf8.count + character.utf8.count > SafeText.byteLimit { flush() }
                piece.append(character)
            }
        }
        flush()
        if let last = result.last { isInLine = last != UInt8(ascii: "\n") }
        return result
    }
}

/// The head of a response as it stands in front of a body: the status line and the fields, as `curl -i` writes them.
enum HeadText {
    /// The bytes, with the empty line at their end; with `hidingSecrets` the values of secret fields are masked.
    static func bytes(of head: ResponseHead, hidingSecrets: Bool) -> [UInt8] {
        var text =
            ([head.version.rawValue, String(head.statusCode)] + (head.reasonPhrase.isEmpty ? [] : [head.reasonPhrase]))
            .joined(separator: " ")
        text += "\r\n"
        for field in head.headers {
            let value = hidingSecrets ? Redaction.header(name: field.name, value: field.value) : field.value
            text += field.name + ": " + value + "\r\n"
        }
        return Array((text + "\r\n").utf8)
    }
}
