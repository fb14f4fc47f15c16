import SessionSupport

/// A form of several parts, as browsers send it (RFC 7578); its files and streams are read during sending, and its
/// length is known before.
///
/// Send it with ``SessionManager/upload(for:from:as:options:)`` or as an upload task; `RequestSerializer` makes its
/// request.
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
        /// The field's bytes.
        public var content: BodyPiece
        /// The file name for the server; nil for none.
        public var fileName: String?
        /// The content type; nil for none.
        public var contentType: String?
        /// Further fields, after the others; a `Content-Disposition` or `Content-Type` here replaces the one made of
        /// ``name``, ``fileName`` and ``contentType``.
        public var headers: HeaderFields

        /// Creates a field.
        public init(
            name: String, content: BodyPiece, fileName: String? = nil, contentType: String? = nil,
            headers: HeaderFields = HeaderFields()
        ) {
            (self.name, self.content, self.fileName, self.contentType) = (name, content, fileName, contentType)
            self.headers = headers
        }
    }

    /// Slows a form down: a number of bytes, then a wait, and so on.
    ///
    /// ```swift
    /// var form = MultipartForm()
    /// form.throttle = MultipartForm.Throttle(packetSize: 4 << 10, delay: 0.1)
    /// ```
    public struct Throttle: Sendable, Equatable {
        /// The bytes between two waits, at least 1; 16 KiB is AFNetworking's constant.
        public var packetSize: Int { didSet { packetSize = max(packetSize, 1) } }
        /// The seconds of a wait, 60 at most; 0.2 is AFNetworking's constant.
        public var delay: Double { didSet { delay = Self.limited(delay) } }

        /// Creates a throttle with AFNetworking's constants as defaults.
        public init(packetSize: Int = 16 << 10, delay: Double = 0.2) {
            (self.packetSize, self.delay) = (max(packetSize, 1), Self.limited(delay))
        }

        /// No wait for a delay that is no number.
        private static func limited(_ delay: Double) -> Double { delay > 0 ? min(delay, 60) : 0 }
    }

    /// The parts in their order.
    public var parts: [Part]
    /// The line between the parts, which no part may contain.
    ///
    /// Before the form is sent, a boundary that was set is searched for in every part, which reads the files once more.
    public var boundary: String {
        didSet { hasChosenBoundary = true }
    }
    /// How slowly the form is sent; nil, the default, for the network's speed.
    public var throttle: Throttle?
    /// Whether the caller chose the boundary; a random one needs no search.
    package private(set) var hasChosenBoundary = false

    /// Creates a form with a random boundary: `Boundary+` and 16 digits, as in AFNetworking.
    public init(_ parts: [Part] = []) {
        self.parts = parts
        let digits = String(UInt64.random(in: 0...(.max)), radix: 16, uppercase: true)
        boundary = "Boundary+" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The value of `Content-Type`; a boundary that is no token gets quotation marks (RFC 2045, 5.1).
    public var contentType: String {
        let isToken = boundary.utf8.allSatisfy(ByteText.isToken)
        return "multipart/form-data; boundary=" + (isToken ? boundary : "\"\(boundary)\"")
    }

    /// The value of `Content-Type` for a request with its own.
    ///
    /// A multipart type keeps its words, and its boundary becomes the form's; any other type is unchanged.
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

    /// A name with quotation marks and line ends escaped, as browsers do (WHATWG HTML, "multipart/form-data encoding
    /// algorithm").
    private static func escaped(_ text: String) -> String {
        withoutLines(text).replacing("\"", with: "%22")
    }

    /// A text without line ends, which would start another field.
    ///
    /// By Unicode scalar, because a CR and the LF after it are one character.
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

/// A piece of a body: bytes in memory, or a file or stream that is read during sending.
///
/// ```swift
/// var request = request
/// request.body = .pieces([.bytes(Array("head\n".utf8)), .file(path: file.path)])
/// _ = try await manager.upload(for: request, from: request.body)
/// ```
public enum BodyPiece: Sendable, Equatable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, read during sending.
    case file(path: String)
    /// A stream of known length, read during sending; only upload tasks accept it, and it cannot be sent again.
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

/// A body piece of known length that a closure reads.
///
/// A class, because only its first reader can read it.
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
    /// Fills the buffer with available bytes, waiting for the first; returns how many, 0 at the end.
    ///
    /// Called on its own thread, which it may block.
    package typealias Reader = @Sendable (UnsafeMutableRawBufferPointer) throws -> Int

    /// The length in bytes; a stream of another length fails its task, and the server gets no complete request.
    public let length: Int64
    private let reader: Locked<Reader?>

    /// Creates a stream that a closure reads.
    public init(length: Int64, reader: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.length = length
        self.reader = Locked(reader)
    }

    /// Returns the closure on the first call, nil afterwards.
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
