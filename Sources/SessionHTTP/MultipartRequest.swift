public import Foundation
import Glibc
public import SessionCore
import SessionSupport

/// A form with its request.
///
/// ``RequestSerializer/multipartRequest(_:_:parameters:headers:build:)`` makes one; a manager's upload sends it.
///
/// ```swift
/// let multipart = try http.multipartRequest("POST", "photos") { form in try form.append(file: file, name: "photo") }
/// _ = try await manager.upload(multipart)
/// ```
public struct MultipartRequest: Sendable, Equatable {
    /// The request, with the form's content type and without its body.
    public var request: TransferRequest
    /// The form; one without parts is sent as an empty body.
    public var form: MultipartForm

    /// A request from its parts.
    public init(_ request: TransferRequest, form: MultipartForm) { (self.request, self.form) = (request, form) }

    /// Writes the form to a file, and returns the request with that file as its body.
    ///
    /// As in an upload the request gets the form's content type unless it has its own, whose boundary is then the
    /// form's. For servers that need a known length for a form too large for memory, and for forms sent later or more
    /// than once. An existing file is replaced atomically once everything is written; the throttle is ignored. Another
    /// thread writes, and stops between two blocks if the call is cancelled. Throws
    /// ``RequestSerializationError/Reason/unreadablePart(_:)`` for a URL that is not a file's, another
    /// ``RequestSerializationError``, the file system's errors, or a stream's error.
    public func write(to file: URL) async throws -> TransferRequest {
        guard file.isFileURL else { throw RequestSerializationError.notAFile(file) }
        var (result, form) = (request, self.form)
        if !form.parts.isEmpty {
            result.headers["Content-Type"] = form.contentType(keeping: request.headers["Content-Type"])
        }
        try form.check()
        let writer = FormFileWriter(form)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                DispatchQueue.global().async { continuation.resume(with: Result { try writer.write(to: file) }) }
            }
        } onCancel: {
            writer.stop()
        }
        result.body = .file(path: file.path)
        return result
    }
}

extension RequestSerializer {
    /// Makes a request whose body is a form: the parameters first, each as a part, then the closure's parts.
    ///
    /// Without any part it is the request without parameters that ``HTTPRequestSerializer`` makes. Throws
    /// ``RequestSerializationError/Reason/methodWithoutBody(_:)`` for GET and HEAD, the URL errors of
    /// ``request(_:_:parameters:headers:)``, and the closure's errors.
    public func multipartRequest(
        _ method: String, _ url: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        build: (inout MultipartForm) throws -> Void = { _ in }
    ) throws -> MultipartRequest {
        guard !["GET", "HEAD"].contains(method.uppercased()) else {
            throw RequestSerializationError(.methodWithoutBody(method), url: url)
        }
        var request = try HTTPRequestSerializer(settings: settings).request(method, url, headers: headers)
        request.body = .none
        var form = MultipartForm()
        if let parameters { try form.append(parameters, encoding: settings.queryEncoding) }
        try build(&form)
        guard !form.parts.isEmpty else {
            request.body = .bytes([])
            if request.headers["Content-Type"] == nil {
                request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            }
            return MultipartRequest(request, form: form)
        }
        request.headers["Content-Type"] = form.contentType
        return MultipartRequest(request, form: form)
    }
}

/// Form parts made from parameters.
extension MultipartForm {
    /// Adds a part for each pair that a query would have: bytes unchanged, null as an empty part.
    ///
    /// Throws as ``QueryEncoding/pairs(of:)`` does.
    public mutating func append(
        _ parameters: ParameterValue, encoding: QueryEncoding = QueryEncoding()
    ) throws(RequestSerializationError) {
        for pair in try encoding.pairs(of: parameters) {
            var bytes = Array((encoding.text(of: pair.value) ?? "").utf8)
            if case .data(let data) = pair.value { bytes = [UInt8](data) }
            parts.append(Part(name: pair.name, content: .bytes(bytes)))
        }
    }
}

/// Writes a form to a temporary file beside the target and renames it.
///
/// A class because the waiting call may stop it.
private final class FormFileWriter: Sendable {
    private let form: MultipartForm
    private let isStopped = Locked(false)

    init(_ form: MultipartForm) { self.form = form }

    func stop() { isStopped.withLock { $0 = true } }

    private func checkStop() throws {
        if isStopped.withLock({ $0 }) { throw SessionError(.cancelled, ParameterErrors.formCancelled) }
    }

    func write(to file: URL) throws {
        let draft = file.deletingLastPathComponent()
            .appendingPathComponent(".\(file.lastPathComponent).\(UUID().uuidString.prefix(8))")
        do {
            try writeDraft(to: draft)
            try checkStop()
            guard rename(draft.path, file.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
    }

    private func writeDraft(to draft: URL) throws {
        guard FileManager.default.createFile(atPath: draft.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: draft.path])
        }
        let output = try FileHandle(forWritingTo: draft)
        defer { try? output.close() }
        guard !form.parts.isEmpty, case .pieces(let pieces) = form.body else { return }
        for piece in pieces {
            try checkStop()
            switch piece {
            case .bytes(let bytes): try output.write(contentsOf: bytes)
            case .file(let path): try copy(path, to: output)
            case .stream(let stream): try copy(stream, to: output)
            }
        }
        try output.synchronize()
    }

    private func copy(_ path: String, to output: FileHandle) throws {
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? input.close() }
        while let block = try input.read(upToCount: 1 << 16), !block.isEmpty {
            try checkStop()
            try output.write(contentsOf: block)
        }
    }

    private func copy(_ stream: BodyStream, to output: FileHandle) throws {
        guard let read = stream.takeReader() else {
            throw RequestSerializationError(.unreadablePart(ParameterErrors.streamRead))
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var rest = stream.length
        while true {
            let count = try buffer.withUnsafeMutableBytes { try read($0) }
            guard count > 0 else { break }
            rest -= Int64(count)
            try checkStop()
            guard rest >= 0 else { break }
            try output.write(contentsOf: buffer.prefix(count))
        }
        guard rest == 0 else {
            throw RequestSerializationError(.unreadablePart(ParameterErrors.streamLength))
        }
    }
}
