import Foundation
import Glibc
import SessionCore

/// The bodies and files that the user wants to see or save.
extension LocalService {
    /// Writes the body of a data request into a new file; returns its length in bytes.
    package func writeBody(of id: UInt64, to path: String) -> Result<Int, TransferFailure> {
        func failure(_ message: String) -> Result<Int, TransferFailure> {
            .failure(TransferFailure(kind: SessionError.Code.storage.rawValue, category: .ordinary, message: message))
        }
        guard let row = row(id), case let body = row.record.body, !body.isEmpty else {
            return failure(ServiceErrors.noBody)
        }
        let real = UserFolder.expanding(path)
        guard access(real, F_OK) != 0 else { return failure(ServiceErrors.exists(path)) }
        // Opening the file reports what prevents its folder.
        let folder = EnteredPath.parts(of: real).folder
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do throws(BodyOutput.Failure) {
            let output = try BodyOutput.file(real)
            let problem = output.write(body)
            if let problem = output.end(isComplete: problem == nil) ?? problem { throw problem }
            return .success(body.count)
        } catch {
            return .failure(TransferFailure(error, path: path))
        }
    }

    /// The file of a transfer, or its body in a file with mode 0600; nil without either.
    package func fileToView(of id: UInt64) -> ViewableFile? {
        guard let row = row(id) else { return nil }
        if let path = row.path ?? (row.job.kind == .upload ? row.intendedPath(directory: nil) : nil),
            access(path, R_OK) == 0
        {
            return ViewableFile(path: path, isTemporary: false)
        }
        let body = row.record.body
        guard !body.isEmpty else { return nil }
        let lines = BodyPreview.readable(body)
        let folder = FileManager.default.temporaryDirectory.path
        // mkstemp replaces the six letters to make the name unique.
        var name = Array("\(folder)/netdash-body-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return nil }
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isWritten = Descriptor.writeAll(lines, to: descriptor)
        guard Glibc.close(descriptor) == 0, isWritten else {
            _ = unlink(path)
            return nil
        }
        return ViewableFile(path: path, isTemporary: true)
    }
}

extension LocalService.State {
    /// Counts a row's response body, and drops the oldest bodies beyond the limit, removed rows' too.
    mutating func shelveBody(of id: UInt64) {
        for old in bodies.put(id, count: rows.slot(of: id)?.row.record.body.count ?? 0) {
            rows.slot(of: old)?.row.dropBody()
            removed.dropBody(of: old)
        }
    }
}

extension TransferRow {
    mutating func dropBody() {
        record.body = []
        record.bodyWasDropped = true
    }
}

/// The rows that keep their response bodies, within a common limit.
///
/// The newest stay. A single body above the limit stays until the next one comes.
struct BodyShelf: Sendable {
    /// The limit of all bodies together, in bytes.
    let limit: Int
    private var sizes: [UInt64: Int] = [:]
    /// Oldest first.
    private var order: [UInt64] = []
    private var total = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds the body of a row by its length; returns the rows that must drop theirs.
    mutating func put(_ id: UInt64, count: Int) -> [UInt64] {
        remove(id)
        guard count > 0 else { return [] }
        sizes[id] = count
        order.append(id)
        total += count
        var evicted: [UInt64] = []
        while total > limit, let oldest = order.first, oldest != id {
            remove(oldest)
            evicted.append(oldest)
        }
        return evicted
    }

    mutating func remove(_ id: UInt64) {
        guard let count = sizes.removeValue(forKey: id) else { return }
        total -= count
        order.removeAll { $0 == id }
    }
}
