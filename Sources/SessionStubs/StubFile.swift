import Foundation
import SessionCore
import SessionSupport

/// The file of a stubbed download.
enum StubFile {
    /// Writes a body to a download's destination, by the rules of its target.
    static func write(
        _ body: [UInt8], _ head: ResponseHead, _ sink: TransferDescription.Sink, _ configuration: SessionConfiguration
    ) throws(SessionError) -> BodyResult {
        guard case .file(let target) = sink else {
            let folder = configuration.stagingFolder ?? NSTemporaryDirectory()
            return try write(body, to: folder, "stub-\(UUID().uuidString)", isNew: true)
        }
        if let checksum = target.checksum, try Digest.of(body, checksum.algorithm) != checksum.digest {
            throw SessionError(.checksum, "The file does not have its checksum", failingURL: head.url)
        }
        var name: String
        switch target.name {
        case .fixed(let fixed): name = try FileNames.fixed(fixed)
        case .automatic: name = FileNames.automatic(url: head.url, head: head)
        }
        let taken = { (name: String) in FileManager.default.fileExists(atPath: target.folder + "/" + name) }
        if taken(name) {
            switch target.collision {
            case .overwrite, .refresh: break
            case .fail, .sameOrFail:
                throw SessionError(.destinationExists, "\(target.folder)/\(name) is there already")
            case .skip:
                var result = BodyResult()
                (result.filePath, result.wasSkipped) = (target.folder + "/" + name, true)
                return result
            case .rename, .same:
                let wanted = name
                var number = 1
                while taken(name), number < 10_000 {
                    name = FileNames.numbered(wanted, number)
                    number += 1
                }
            }
        }
        return try write(body, to: target.folder, name, isNew: false)
    }

    private static func write(
        _ body: [UInt8], to folder: String, _ name: String, isNew: Bool
    ) throws(SessionError) -> BodyResult {
        let file = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(body).write(to: file, options: isNew ? .withoutOverwriting : .atomic)
        } catch {
            throw SessionError(.storage, "\(file.path) cannot be written: \(error.localizedDescription)")
        }
        var result = BodyResult()
        result.filePath = file.path
        return result
    }
}

/// The body of a request that comes to a stub.
enum StubBody {
    /// Reads a body completely, waiting for the writer of a stream.
    static func read(_ body: BodySpecification, _ piped: PipedBody?) throws(SessionError) -> [UInt8] {
        switch body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .file(let path): return try file(path)
        case .descriptor(let descriptor):
            let data = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile()
            if let failure = piped?.failure { throw failure }
            return [UInt8](data)
        case .pieces(let pieces):
            var bytes: [UInt8] = []
            for piece in pieces {
                switch piece {
                case .bytes(let more): bytes += more
                case .file(let path): bytes += try file(path)
                // A form with a stream is written through a pipe and has become a descriptor.
                case .stream: break
                }
            }
            return bytes
        }
    }

    private static func file(_ path: String) throws(SessionError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SessionError(.bodyUnreadable, "The body \(path) cannot be read")
        }
        return [UInt8](data)
    }
}
