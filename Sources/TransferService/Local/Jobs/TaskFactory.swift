import Foundation
import Glibc
import SessionCore
import SessionSupport

/// Turns jobs into tasks.
struct TaskFactory: Sendable {
    let manager: SessionManager
    /// The folder of downloads without their own.
    let directory: String?
    /// Whether response bodies of requests and uploads without their own output go to standard output.
    let printsBodies: Bool
    var includesHeads = false
    /// Whether a line tells each body on standard output apart from the others.
    var titlesBodies = false
    var identity = JobIdentity()
    let outputs = OutputNames()
    /// The list that downloads are verified against; nil without one.
    var checksums: ChecksumList?

    /// The task of a job, with facts that the library does not know.
    struct Product: Sendable {
        var task: SessionTask
        var output: BodyOutput?
        /// Whether a progress block reports its bytes.
        var reportsProgress = false
    }

    /// Makes the task of a job, not yet resumed.
    ///
    /// `options` contain its position in a saved session. `moved` receives the progress of the direction that matters;
    /// without it the task creates a progress object only on demand. `bodyFailed` is called only for a job whose body
    /// is written here; the closure it returns is called when that writing fails.
    func make(
        _ job: Job, options: TaskOptions = TaskOptions(), isChanged: Bool = false,
        moved: (@Sendable (Progress) -> Void)? = nil, bodyFailed: () -> @Sendable () -> Void
    ) throws(TransferFailure) -> Product {
        do throws(SessionError) {
            let request = try completeRequest(of: job)
            switch job.kind {
            case .upload:
                let output = try makeOutput(job, of: options.entry)
                let task = try manager.uploadTask(
                    with: request, from: request.body, progress: moved, options: options, completionHandler: nil)
                return Product(task: task, output: output, reportsProgress: moved != nil)
            case .data:
                let output = try makeOutput(job, of: options.entry)
                output?.prepare(for: job.options.answerTerms)
                return try makeData(request, options, output: output, moved: moved, bodyFailed: bodyFailed)
            case .download:
                if job.checksum == nil, let problem = checksumProblem(of: job) {
                    throw SessionError(.checksum, problem, failingURL: job.url)
                }
                if let stream = try streamedOutput(of: job) {
                    var request = request
                    // A download wants the file's bytes unencoded.
                    if request.headers["Accept-Encoding"] == nil { request.headers["Accept-Encoding"] = "identity" }
                    // As for every download: several connections need HTTP/1.
                    request.allowsHTTP2 = request.allowsHTTP2 ?? false
                    var options = options
                    options.segmentation = job.options.terms.segmentation
                    return try makeData(request, options, output: stream, moved: moved, bodyFailed: bodyFailed)
                }
                var options = options
                options.target = target(of: job)
                // A part may have been moved here since the session read the folder.
                if isChanged { options.target?.sharesFolder = true }
                let task = try manager.downloadTask(
                    with: request, progress: moved, options: options, completionHandler: nil)
                return Product(task: task, reportsProgress: moved != nil)
            }
        } catch {
            throw TransferFailure(error)
        }
    }

    /// A download with its checksum from the list.
    func checked(_ job: Job) -> Job {
        guard job.kind == .download, job.checksum == nil, case .found(let known)? = checksums?.checksum(of: job) else {
            return job
        }
        var job = job
        job.checksum = known
        return job
    }

    /// Why the list of checksums has none for a download; nil where it has one, and without a list.
    func checksumProblem(of job: Job) -> String? {
        switch checksums?.checksum(of: job) {
        case nil, .found: nil
        case .missing: ServiceErrors.checksumMissing
        case .ambiguous: FailureHints.giveChecksum(ServiceErrors.checksumAmbiguous)
        }
    }

    func target(of job: Job) -> DownloadTarget {
        let job = ServerFolders.placed(job, defaultDirectory: directory)
        let destination = JobDestination.resolve(job, defaultDirectory: directory)
        let name = destination.name.map { DownloadTarget.Name.fixed($0) } ?? .automatic
        // The terms of no options are as large as the ones of many.
        guard !job.options.isEmpty else {
            return DownloadTarget(
                folder: destination.folder, name: name, collision: job.ifExists.collision, adoptsPart: job.continues,
                checksum: job.checksum, segmentation: Segmentation())
        }
        let terms = job.options.terms
        let mirrors = Mirrors(urls: terms.mirrors, length: terms.length)
        return DownloadTarget(
            folder: destination.folder, name: name, collision: job.ifExists.collision, adoptsPart: job.continues,
            checksum: job.checksum, keepsRemoteTime: terms.keepsRemoteTime, comparesOverlap: terms.comparesOverlap,
            segmentation: terms.segmentation, mirrors: mirrors == Mirrors(urls: []) ? nil : mirrors)
    }

    // MARK: - Helpers

    private func makeData(
        _ request: TransferRequest, _ options: TaskOptions, output: BodyOutput?, moved: (@Sendable (Progress) -> Void)?,
        bodyFailed: () -> @Sendable () -> Void
    ) throws(SessionError) -> Product {
        let task: SessionTask
        if let output {
            let fail = bodyFailed()
            task = try manager.streamingTask(with: request, downloadProgress: moved, options: options) { bytes, done in
                output.perform { output in
                    if output.write(bytes) != nil { fail() }
                    done()
                }
            }
        } else {
            task = try manager.dataTask(
                with: request, downloadProgress: moved, options: options, completionHandler: nil)
        }
        return Product(task: task, output: output, reportsProgress: moved != nil)
    }

    private func makeOutput(_ job: Job, of row: TransferID?) throws(SessionError) -> BodyOutput? {
        let wantsHead = includesHeads || job.printsHead
        switch job.output {
        case .standardOutput: return .standardOutput(wantsHead: wantsHead)
        case .automatic:
            guard printsBodies, job.kind != .download else { return nil }
            return .standardOutput(wantsHead: wantsHead, title: titlesBodies ? BodyTitle(of: job) : nil)
        case .name:
            let destination = JobDestination.resolve(job, defaultDirectory: nil)
            let path = destination.folder + "/" + (destination.name ?? "")
            if OutputPath(path) == .file, !outputs.claim(path, for: job.url, of: row) {
                throw SessionError(.destinationExists, ServiceErrors.claimed(path))
            }
            // A named folder is created, as for downloads; opening the file reports what prevents that.
            if job.directory != nil {
                try? FileManager.default.createDirectory(atPath: destination.folder, withIntermediateDirectories: true)
            }
            return try namedOutput(path, wantsHead: wantsHead)
        }
    }

    /// The code of a failure to write, which tells a refusal of the disk as for a download.
    static func code(of failure: BodyOutput.Failure) -> SessionError.Code {
        guard case .system(let number) = failure, SystemWords.isDiskRefusal(number) else { return .storage }
        return number == EROFS ? .readOnly : .diskFull
    }

    private func namedOutput(
        _ path: String, wantsHead: Bool, proof: BodyProof? = nil
    ) throws(SessionError) -> BodyOutput {
        do throws(BodyOutput.Failure) {
            return try BodyOutput.file(path, wantsHead: proof == nil && wantsHead, proof: proof)
        } catch {
            throw SessionError(Self.code(of: error), TransferFailure(error, path: path).message)
        }
    }

    /// The output of a download that is streamed to standard output, a device or a pipe; nil for a file.
    private func streamedOutput(of job: Job) throws(SessionError) -> BodyOutput? {
        var path: String?
        if job.output != .standardOutput {
            path = specialPath(of: job)
            guard path != nil else { return nil }
        }
        let proof = try BodyProof(checksum: job.checksum, length: job.options.terms.length)
        guard let path else { return .standardOutput(proof: proof) }
        return try namedOutput(path, wantsHead: includesHeads, proof: proof)
    }

    /// The path of the device, pipe or socket that a download's output names; nil for a file.
    func specialPath(of job: Job) -> String? {
        guard case .name = job.output else { return nil }
        let destination = JobDestination.resolve(job, defaultDirectory: directory)
        guard let name = destination.name else { return nil }
        let path = destination.folder + "/" + name
        return switch OutputPath(path) {
        case .open, .special: path
        case .file, .folder: nil
        }
    }

    /// The request of a job with all of its options, secrets included.
    func completeRequest(of job: Job) throws(SessionError) -> TransferRequest {
        var request = request(of: job)
        guard !job.options.isEmpty else { return request }
        do throws(JobIdentity.Problem) {
            try identity.complete(&request, of: job)
        } catch {
            throw SessionError(.invalidRequest, "\(error.option.name): \(error.sentence)", failingURL: job.url)
        }
        if let terms = job.options.answerTerms {
            request.options?.isTriedOnce = terms.isPoll
            request.options?.expectedStatuses = terms.expectedStatuses
        }
        return request
    }

    /// A request for another URL of a job's server with all of the job's request options; nil where they are invalid.
    func request(for url: String, as job: Job) -> TransferRequest? {
        var other = job
        other.url = url
        var request = try? completeRequest(of: other)
        request?.headers["Range"] = nil
        return request
    }

    /// The bytes of a file without the ones that `curl -d @FILE` leaves out; nil for a missing or special file,
    /// or one above 16 MiB.
    private static func withoutLineEnds(_ path: String) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 16 << 20 else {
            return nil
        }
        return FileManager.default.contents(atPath: path).map { FormText.withoutLineEnds([UInt8]($0)) }
    }

    /// The storable request of a job, without its options.
    func request(of job: Job) -> TransferRequest {
        var headers = job.headers
        if let type = BodyContentType.implied(by: job) { headers.append(name: "Content-Type", value: type) }
        let body: BodySpecification =
            switch job.body {
            case .none: .none
            case .text(let text): .bytes(Array(text.utf8))
            case .file(let path): .file(path: path)
            // The library reports a file that cannot be read.
            case .formFile(let path): Self.withoutLineEnds(path).map { .bytes($0) } ?? .file(path: path)
            case .standardInput: .descriptor(STDIN_FILENO)
            }
        var request = TransferRequest(
            url: job.url, method: job.sentMethod, headers: headers, body: body, allowsHTTP2: job.usesHTTP2 ? true : nil)
        guard !job.options.isEmpty else { return request }
        // It contains no secret, and a transfer that is saved again keeps the URL of its upload with it.
        if let route = job.options.terms.resumption { request.uploadResumption = route }
        // A restored request without its options must not pass for a complete one.
        request.options = RequestOptions()
        return request
    }
}

/// Records the files that a run's response bodies are written to, so that no body replaces another's.
///
/// A class, because all copies of a factory share it.
final class OutputNames: Sendable {
    private let owners = Locked<[String: (url: String, row: TransferID?)]>([:])

    /// Returns whether a URL's body may be written to a path; the same URL may claim it again, and a row that goes on
    /// with another URL.
    func claim(_ path: String, for url: String, of row: TransferID?) -> Bool {
        owners.withLock { owners in
            if let owner = owners[path], owner.url != url, row == nil || owner.row != row { return false }
            owners[path] = (url, row)
            return true
        }
    }
}

extension ChecksumList {
    package init(path: String) throws(UsageError) {
        if let problem = LocalEndpoints.problem(withReadFile: path) {
            throw UsageError(argument: "--checksums", problem)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UsageError(argument: "--checksums", IdentityUsage.unreadable(path, SystemWords.text(errno)))
        }
        try self.init(String(decoding: data, as: UTF8.self), label: path)
    }
}
