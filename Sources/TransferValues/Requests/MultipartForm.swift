import SessionSupport

/// A form of several parts, as browsers send it (RFC 7578); files and streams in it are read while they are sent, and
/// its length is known before.
///
/// Send it with ``SessionManager/upload(for:from:as:options:)`` or as an upload task; `RequestSerializer` makes the
/// request that goes with it.
///
/// ```swift
/// var form = MultipartForm()
/// form.append("Holiday", name: "album")
/// try form.append(file: file, name: "photo")
/// _ = try await manager.upload(for: request, from: form)
/// ```
public struct MultipartForm: Sendable, Equatable {
    /// One field of a form.
    ///
    /// ```swift
    /// let form = MultipartForm([MultipartForm.Part(name: "album", content: .bytes(Array("Holiday".utf8)))])
    /// print(form.contentType)
    /// ```
    public struct Part: Sendable, Equatable {
        /// The field's name; empty for a part that only has ``headers``.
        public var name: String
        /// What has the bytes of the field.
        public var content: BodyPiece
        /// The name of the file that the server is told; nil for none.
        public var fileName: String?
        /// The type of the content; nil says none.
        public var contentType: String?
        /// Further fields, which go behind the others; a `Content-Disposition` or `Content-Type` of these replaces the one
        /// that ``name``, ``fileName`` and ``contentType`` would make.
        public var headers: HeaderFields

        /// A field.
        public init(
            name: String, content: BodyPiece, fileName: String? = nil, contentType: String? = nil,
            headers: HeaderFields = HeaderFields()
        ) {
            (self.name, self.content, self.fileName, self.contentType) = (name, content, fileName, contentType)
            self.headers = headers
        }
    }

    /// The slowness of a form: so many bytes, then a wait, and so on.
    ///
    /// ```swift
    /// var form = MultipartForm()
    /// form.throttle = MultipartForm.Throttle(packetSize: 4 << 10, delay: 0.1)
    /// ```
    public struct Throttle: Sendable, Equatable {
        /// The bytes between two waits, from 1 on; 16 KiB is the original's constant.
        public var packetSize: Int
        /// The seconds of a wait; 0.2 is the original's constant.
        public var delay: Double

        /// A throttle with the original's constants, unless others are named.
        public init(packetSize: Int = 16 << 10, delay: Double = 0.2) {
            (self.packetSize, self.delay) = (max(packetSize, 1), delay > 0 ? min(delay, 60) : 0)
        }
    }

    /// The parts in their order.
    public var parts: [Part]
    /// The line between the parts, which no part may hold.
    ///
    /// One that is set is looked for in every part before the form is sent, which reads its files once more.
    public var boundary: String {
        didSet { hasChosenBoundary = true }
    }
    /// How slowly the form is sent; nil, the default, for as fast as the network takes it.
    public var throttle: Throttle?
    /// Whether the boundary is the caller's: nobody can guess one of ours.
    package private(set) var hasChosenBoundary = false

    /// A form with a boundary that nobody can guess: `Boundary+` and 16 digits, as the original's.
    public init(_ parts: [Part] = []) {
        self.parts = parts
        let digits = String(UInt64.random(in: 0...(.max)), radix: 16, uppercase: true)
        boundary = "Boundary+" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The value of the field `Content-Type`; a boundary that is no token stands in quotation marks (RFC 2045, 5.1).
    public var contentType: String {
        let isToken = boundary.utf8.allSatisfy(ByteText.isToken)
        return "multipart/form-data; boundary=" + (isToken ? boundary : "\"\(boundary)\"")
    }

    /// The value of the field `Content-Type` for a request that has one of its own.
    ///
    /// One for several parts keeps its words, and its boundary where it has one, which becomes the form's; any other is
    /// taken as it is.
    package mutating func contentType(keeping own: String?) -> String {
        guard let own else { return contentType }
        let type = ByteText.lowercased(own)
        guard type.hasPrefix("multipart/") else { return own }
        guard let name = type.firstRange(of: "boundary=") else {
            let parameter = contentType.drop { $0 != ";" }
            return own + parameter
        }
        let value = own.utf8.suffix(type[name.upperBound...].utf8.count).prefix { $0 != UInt8(ascii: ";") }
        boundary = ByteText.trimmed(String(decoding: value, as: UTF8.self)).filter { $0 != "\"" }
        return own
    }

    /// The body.
    package var body: BodySpecification {
        var pieces: [BodyPiece] = []
        for part in parts {
            pieces += [.bytes(Array((head(of: part) + "\r\n").utf8)), part.content, .bytes(Array("\r\n".utf8))]
        }
        return .pieces(pieces + [.bytes(Array("--\(boundary)--\r\n".utf8))])
    }

    private func head(of part: Part) -> String {
        var head = "--\(boundary)\r\n"
        if !part.name.isEmpty, part.headers["Content-Disposition"] == nil {
            head += "Content-Disposition: form-data; name=\"\(Self.escaped(part.name))\""
            if let name = part.fileName { head += "; filename=\"\(Self.escaped(name))\"" }
            head += "\r\n"
        }
        if let type = part.contentType, part.headers["Content-Type"] == nil {
            head += "Content-Type: \(Self.withoutLines(type))\r\n"
        }
        for field in part.headers { head += Self.withoutLines("\(field.name): \(field.value)") + "\r\n" }
        return head
    }

    /// A name without what would end it, as browsers write it (WHATWG HTML, "multipart/form-data encoding algorithm").
    private static func escaped(_ text: String) -> String {
        withoutLines(text).replacing("\"", with: "%22")
    }

    /// A text without line ends, behind which another field would begin.
    ///
    /// Byte by byte, because a CR and the LF behind it are one character.
    private static func withoutLines(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A piece of a body: bytes in memory, or a file or stream that is read while it is sent.
///
/// ```swift
/// var request = request
/// request.body = .pieces([.bytes(Array("head\n".utf8)), .file(path: file.path)])
/// _ = try await manager.upload(for: request, from: request.body)
/// ```
public enum BodyPiece: Sendable, Equatable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, read while it is sent.
    case file(path: String)
    /// A stream of known length, read while it is sent; only upload tasks take it, and it cannot be sent again.
    case stream(BodyStream)

    /// Whether it can be read a second time.
    package var isReplayable: Bool {
        switch self {
        case .bytes: true
        case .file(let path): !BodySpecification.isReadOnce(path)
        case .stream: false
        }
    }
}

/// A piece of a body that a closure reads, of a length that is known before.
///
/// A class, because it can be read once only, and by whoever comes first.
///
/// ```swift
/// let zeros = BodyStream(length: 4) { buffer in
///     let count = min(buffer.count, 4)
///     buffer[0..<count].initializeMemory(as: UInt8.self, repeating: 0)
///     return count
/// }
/// print(MultipartForm([MultipartForm.Part(name: "zeros", content: .stream(zeros))]).contentType)
/// ```
public final class BodyStream: Sendable {
    /// Fills the buffer as far as bytes are there, waiting for the first; returns how many, 0 at the end.
    ///
    /// Called on a thread of its own, which it may hold up.
    package typealias Reader = @Sendable (UnsafeMutableRawBufferPointer) throws -> Int

    /// The length in bytes; a stream that ends before or goes on behind it fails its task, and the server does not get a
    /// whole request.
    public let length: Int64
    private let reader: Locked<Reader?>

    /// A stream that a closure reads.
    public init(length: Int64, reader: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.length = length
        self.reader = Locked(reader)
    }

    /// The closure, for the first who asks; nil for everybody else.
    package func takeReader() -> Reader? {
        reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
    }
}

extension BodyStream: Equatable {
    /// Streams are equal when they are the same object.
    public static func == (left: BodyStream, right: BodyStream) -> Bool { left === right }
}
