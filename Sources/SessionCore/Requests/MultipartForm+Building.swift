public import Foundation
import SessionSupport

/// Parts from texts, data, files and streams.
extension MultipartForm {
    /// Adds a text, as an ordinary form field.
    public mutating func append(_ text: String, name: String) {
        parts.append(Part(name: name, content: .bytes(Array(text.utf8))))
    }

    /// Adds bytes; with a file name the server treats them as a file.
    public mutating func append(
        _ data: Data, name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        parts.append(
            Part(name: name, content: .bytes([UInt8](data)), fileName: fileName, contentType: contentType))
    }

    /// Adds a file, which is read while it is sent; its name and type come from its URL unless given.
    ///
    /// Throws ``RequestSerializationError/Reason/unreadablePart(_:)`` unless the URL names a readable regular file.
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
    /// The stream must be given away: it is opened and closed on another thread. A form with it cannot be sent again,
    /// neither after a lost connection nor after a redirect that keeps the body.
    public mutating func append(
        _ stream: sending InputStream, length: Int64, name: String, fileName: String? = nil,
        contentType: String? = nil
    ) {
        parts.append(
            Part(
                name: name, content: .stream(BodyStream(stream, length: length)), fileName: fileName,
                contentType: contentType ?? fileName.map { MediaType.ofFile(named: $0) }))
    }

    /// Adds a part whose fields are sent as given.
    public mutating func append(headers: HeaderFields, body: Data) {
        parts.append(Part(name: "", content: .bytes([UInt8](body)), headers: headers))
    }

    /// Returns the form's length in bytes, with its files at their current size; 0 without parts.
    ///
    /// Throws ``RequestSerializationError/Reason/unreadablePart(_:)`` for a missing file.
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
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: (path as NSString).resolvingSymlinksInPath)
        let kind = attributes?[.type] as? FileAttributeType
        if kind == .typeDirectory { throw RequestSerializationError(.unreadablePart(BodyErrors.folder(path))) }
        guard kind == .typeRegular, let size = attributes?[.size] as? NSNumber,
            FileManager.default.isReadableFile(atPath: path)
        else { throw RequestSerializationError(.unreadablePart(SerializationErrors.unreachable(path))) }
        return size.int64Value
    }
}

/// The check that a boundary separates exactly the form's parts.
extension MultipartForm {
    /// Checks the boundary, and searches the parts for it if the caller chose it.
    ///
    /// Throws ``RequestSerializationError/Reason/invalidBoundary(_:)``, and
    /// ``RequestSerializationError/Reason/unreadablePart(_:)`` for a missing file. Streams are not searched.
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
                // A file that can be read only once cannot be searched.
                guard !BodySpecification.isReadOnce(path) else { continue }
                _ = try Self.size(ofFile: path)
                if hasChosenBoundary, try Self.file(path, holds: line) {
                    throw RequestSerializationError(.invalidBoundary(boundary))
                }
            case .stream: break
            }
        }
    }

    /// Returns whether a text has one to 70 of the characters of RFC 2046, 5.1.1, and no space at the end.
    static func isBoundary(_ text: String) -> Bool {
        let isMade = text.utf8.allSatisfy { byte in
            ByteText.isLetter(byte) || ByteText.isDigit(byte) || "'()+_,-./:=? ".utf8.contains(byte)
        }
        return isMade && (1...70).contains(text.utf8.count) && !text.hasSuffix(" ")
    }

    private static func holds(_ bytes: [UInt8], _ line: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(line)) != nil
    }

    /// Searches a file in blocks, with the end of each block before the next.
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
    /// Takes a Foundation stream, which must be given away: it is opened and closed on the thread that sends it.
    public convenience init(_ stream: sending InputStream, length: Int64) {
        let source = InputStreamReader(stream)
        self.init(length: length) { try source.read(into: $0) }
    }
}

/// Reads a Foundation stream: a class, because the stream stays open between reads.
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
        // A stream that failed to open may report its end.
        guard count > 0 || count == 0 && stream.streamStatus != .error else {
            throw stream.streamError ?? CocoaError(.fileReadUnknown)
        }
        return count
    }
}
