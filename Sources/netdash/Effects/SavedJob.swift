import Dashboard
import Foundation
import SessionCore

/// A job as a saved session keeps it, and the way back.
enum SavedJob {
    /// Whether a later run could go on with a job: not one that reads a stream, or writes a body as it comes.
    static func isKept(_ job: Job, printsBodies: Bool) -> Bool {
        guard job.body != .standardInput else { return false }
        switch (job.kind, job.output) {
        case (.download, .automatic), (.download, .name), (.upload, .automatic): return true
        case (.data, .automatic): return !printsBodies
        case (_, .standardOutput), (.data, .name), (.upload, .name): return false
        }
    }

    /// The job with paths that mean the same in every folder.
    static func absolute(_ job: Job, directory: String?) -> Job {
        var job = job
        if job.kind == .download, job.output != .standardOutput {
            job.directory = absolute(job.directory ?? directory ?? ".")
        }
        if case .file(let path) = job.body { job.body = .file(path: absolute(path)) }
        return job
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        let current = FileManager.default.currentDirectoryPath
        return path == "." ? current : current + "/" + path
    }

    /// The job of a stored transfer.
    static func job(of stored: StoredTransfer) -> Job {
        var job = Job(kind: kind(stored.kind), url: stored.request.url)
        let ownMethod = job.kind == .upload ? "PUT" : "GET"
        job.method = stored.request.method == ownMethod ? nil : stored.request.method
        job.headers = stored.request.headers.map { Job.Header(name: $0.name, value: $0.value) }
        job.usesHTTP2 = stored.request.allowsHTTP2 ?? false
        switch stored.request.body {
        case .none, .descriptor: break
        case .bytes(let bytes): job.body = .text(String(decoding: bytes, as: UTF8.self))
        case .file(let path): job.body = .file(path: path)
        }
        BodyContentType.removeImplied(from: &job)
        guard case .target(let target) = stored.destination else { return job }
        job.directory = target.folder
        if case .fixed(let name) = target.name { job.output = .name(name) }
        job.ifExists = policy(target.collision)
        job.continues = target.adoptsPart
        job.checksum = target.checksum.map(checksum)
        return job
    }

    // MARK: - Names on both sides

    static func kind(_ kind: Job.Kind) -> TransferKind {
        switch kind {
        case .data: .data
        case .upload: .upload
        case .download: .download
        }
    }

    private static func kind(_ kind: TransferKind) -> Job.Kind {
        switch kind {
        case .data: .data
        case .upload: .upload
        case .download: .download
        }
    }

    private static func policy(_ collision: DownloadTarget.Collision) -> Job.IfExists {
        switch collision {
        case .rename: .rename
        case .skip: .skip
        case .overwrite: .overwrite
        case .fail: .fail
        }
    }

    private static func checksum(_ checksum: Checksum) -> Job.Checksum {
        let algorithm: Job.Checksum.Algorithm =
            switch checksum.algorithm {
            case .sha256: .sha256
            case .sha512: .sha512
            case .sha1: .sha1
            case .md5: .md5
            }
        let digits = checksum.digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return Job.Checksum(algorithm: algorithm, hex: digits.joined())
    }
}
