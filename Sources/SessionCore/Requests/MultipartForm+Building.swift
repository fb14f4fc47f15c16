public import Foundation
import SessionSupport

/// Parts from what programs have.
extension MultipartForm {
    /// Adds a text, as a field of a form that somebody filled in.
    public mutating func append(_ text: String, name: String) {
        parts.append(Part(name: name, content: .bytes(Array(text.utf8))))
    }

    /// Adds bytes; with a file name the server takes them for a file.
    public mutating func append(
        _ data: Data, name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        parts.append(
            Part(name: name, content: .bytes([UInt8](data)), fileName: fileName, contentType: contentType))
    }

    /// Adds a file, which is read while it is sent; its name and type are those that its place says, unless others are
    /// given.
    ///
    /// Throws ``RequestSerializationError/Reason/unreadablePart(_:)`` where there is no regular file to be read.
    public mutating func append(
        file: URL, name: String, fileName: String? = nil, contentType: String? = nil
    ) throws(RequestSerializationError) {
        guard file.isFileURL else { throw .notAFile(file) }
        _ = try Self.size(ofFile: file.path)
        let fileName = fileName ?? file.lastPathComponent
        parts.append(
            Part(
                name: name, content: .file(path: file.path), fileName: fileName,
                contentType: contentType ?? MediaType.ofFile(named: fileName)))
    }

    /// Adds a stream of known length, which is read while it is sent.
    ///
    /// Give it away: it is opened and closed on another thread. A form with it cannot be sent again, neither after a lost
    /// connection nor after a redirect that keeps the body.
    public mutating func append(
        _ stream: sending InputStream, length: Int64, name: String, fileName: String? = nil,
        contentType: String? = nil
    ) {
        parts.append(
            Part(
                name: name, content: .stream(BodyStream(stream, length: length)), fileName: fileName,
                contentType: contentType ?? fileName.map { MediaType.ofFile(named: $0) }))
    }

    /// Adds a part of which the fields are given as they are to be sent.
    public mutating func append(headers: HeaderFields, body: Data) {
        parts.append(Part(name: "", content: .bytes([UInt8](body)), headers: headers))
    }

    /// How many bytes the form has, with its files as they are now; 0 without parts.
    ///
    /// Throws ``RequestSerializationError/Reason/unreadablePart(_:)`` for a file that is not there.
    package func contentLength() throws(RequestSerializationError) -> Int64 {
        guard !parts.isEmpty, case .pieces(let pieces) = body else { return 0 }
        var length: Int64 = 0
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): length += Int64(bytes.count)
            case .file(let path): length += try Self.size(ofFile: path)
            case .stream(let stream): length += stream.length
            }
        }
        return length
    }

    private static func size(ofFile path: String) throws(RequestSerializationError) -> Int64 {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath),
            facts[.type] as? FileAttributeType == .typeRegular, let size = facts[.size] as? NSNumber,
            FileManager.default.isReadableFile(atPath: path)
        else { throw RequestSerializationError(.unreadablePart(SerializationErrors.unreachable(path))) }
        return size.int64Value
    }
}

/// What a boundary has to be, so that a server finds the parts that were meant.
extension MultipartForm {
    /// Looks at the boundary, and for it in the parts where it is the caller's own.
    ///
    /// Throws ``RequestSerializationError/Reason/invalidBoundary(_:)``, and
    /// ``RequestSerializationError/Reason/unreadablePart(_:)`` for a file that is not there. A stream is not looked into.
    package func check() throws(RequestSerializationError) {
        guard Self.isBoundary(boundary) else { throw RequestSerializationError(.invalidBoundary(boundary)) }
        let line = Array("--\(boundary)".utf8)
        for part in parts {
            switch part.content {
            case .bytes(let bytes):
                guard !hasChosenBoundary || !Self.holds(bytes, line) else {
                    throw RequestSerializationError(.invalidBoundary(boundary))
                }
            case .file(let path):
                // What is read only once cannot be looked into.
                guard !BodySpecification.isReadOnce(path) else { continue }
                _ = try Self.size(ofFile: path)
                if hasChosenBoundary, try Self.file(path, holds: line) {
                    throw RequestSerializationError(.invalidBoundary(boundary))
                }
            case .stream: break
            }
        }
    }

    /// One to 70 of the characters of RFC 2046, 5.1.1, no space at the end.
    private static func isBoundary(_ text: String) -> Bool {
        let isMade = text.utf8.allSatisfy { byte in
            ByteText.isLetter(byte) || ByteText.isDigit(byte) || "'()+_,-./:=? ".utf8.contains(byte)
        }
        return isMade && (1...70).contains(text.utf8.count) && !text.hasSuffix(" ")
    }

    private static func holds(_ bytes: [UInt8], _ line: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(line)) != nil
    }

    /// Looks into a file block by block, with the end of each before the next.
    private static func file(_ path: String, holds line: [UInt8]) throws(RequestSerializationError) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw RequestSerializationError(.unreadablePart(SerializationErrors.unreachable(path)))
        }
        defer { try? file.close() }
        var kept = Data()
        do {
            while let block = try file.read(upToCount: 1 << 20), !block.isEmpty {
                kept.append(block)
                if kept.range(of: Data(line)) != nil { return true }
                kept = Data(kept.suffix(line.count - 1))
            }
        } catch {
            throw RequestSerializationError(.unreadablePart(BodyErrors.unreadable(path)), underlying: error)
        }
        return false
    }
}

extension BodyStream {
    /// A stream of Foundation's, which is given away: it is opened and closed on the thread that sends it.
    public convenience init(_ stream: sending InputStream, length: Int64) {
        let source = InputStreamReader(stream)
        self.init(length: length) { try source.read(into: $0) }
    }
}

/// Reads a stream of Foundation's: a class, because it is open between its two ends.
///
/// Used by one thread at a time.
private final class InputStreamReader: Sendable {
    private nonisolated(unsafe) let stream: InputStream

    init(_ stream: sending InputStream) { self.stream = stream }

    deinit { stream.close() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if stream.streamStatus == .notOpen { stream.open() }
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        let count = stream.read(start.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
        // A stream that could not be opened may say that it is at its end.
        guard count > 0 || count == 0 && stream.streamStatus != .error else {
            throw stream.streamError ?? CocoaError(.fileReadUnknown)
        }
        return count
    }
}
