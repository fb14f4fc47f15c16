import SessionSupport

/// A form of several parts, as browsers send it (RFC 7578); files in it are read while they are sent, and its length is
/// known before.
public struct MultipartForm: Sendable, Equatable {
    /// One field of a form.
    public struct Part: Sendable, Equatable {
        /// The field's name.
        public var name: String
        /// The bytes of the field, or the file that has them.
        public var content: BodyPiece
        /// The name of the file that the server is told; nil for none.
        public var fileName: String?
        /// The type of the content; nil says none.
        public var contentType: String?

        /// A field.
        public init(name: String, content: BodyPiece, fileName: String? = nil, contentType: String? = nil) {
            (self.name, self.content, self.fileName, self.contentType) = (name, content, fileName, contentType)
        }
    }

    /// The parts in their order.
    public var parts: [Part]
    /// The line between the parts, which no part may hold.
    public var boundary: String

    /// A form with a boundary that nobody can guess.
    public init(_ parts: [Part] = []) {
        self.parts = parts
        let digits = (0..<3).map { _ in String(UInt64.random(in: 0...(.max)), radix: 36) }.joined()
        boundary = "----form" + digits
    }

    /// The value of the field `Content-Type`.
    public var contentType: String { "multipart/form-data; boundary=" + boundary }

    /// The body.
    public var body: BodySpecification {
        var pieces: [BodyPiece] = []
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(part.name))\""
            if let name = part.fileName { head += "; filename=\"\(Self.escaped(name))\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(Self.escaped(type))" }
            pieces += [.bytes(Array((head + "\r\n\r\n").utf8)), part.content, .bytes(Array("\r\n".utf8))]
        }
        return .pieces(pieces + [.bytes(Array("--\(boundary)--\r\n".utf8))])
    }

    /// A name without what would end it, as browsers write it.
    private static func escaped(_ text: String) -> String {
        text.replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing("\"", with: "%22")
    }
}

/// A piece of a body: bytes in memory, or a file that is read while it is sent.
public enum BodyPiece: Sendable, Equatable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, read while it is sent.
    case file(path: String)
}
