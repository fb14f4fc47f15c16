import Dashboard
import Foundation
import SessionSupport
import TransferService

/// Reads the file.
extension RequestFile {
    /// The most bytes of a file.
    private static let byteLimit = 16 << 20

    /// Reads the file and returns its requests in order.
    func jobs(environment: [String: String]) throws(UsageError) -> [Job] {
        if let problem = LocalEndpoints.problem(withReadFile: path) { throw UsageError(argument: "request", problem) }
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.byteLimit else {
            throw UsageError(argument: "request", HTTPFileUsage.unreadable(path))
        }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let file = try Self.file(in: data, name: path, folder: folder, environment: environment)
        let requests: [HTTPFile.Request]
        if let name {
            requests = [try file.request(named: name, label: path)]
        } else {
            requests = try file.requests
        }
        let jobs = requests.map(job)
        if case .name = terms.output, jobs.count > 1 {
            throw UsageError(argument: "-o", RequestUsage.oneFile(jobs.count))
        }
        return jobs
    }

    /// The requests of a file's bytes; `name` is used in messages, and `folder` is where its files lie.
    static func file(
        in bytes: some Collection<UInt8>, name: String, folder: String, environment: [String: String]
    ) throws(UsageError) -> HTTPFile {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(argument: name, HTTPFileUsage.notUTF8)
        }
        let file = try HTTPFile(text, name: name, folder: folder, environment: environment)
        SecretValues.add(file.secrets)
        return file
    }

    /// A request with the command line's terms; a header field of the command line takes the place of the file's.
    private func job(_ request: HTTPFile.Request) -> Job { request.job(terms) }
}

extension HTTPFile.Request {
    /// The request with terms, whose header fields take the place of its own.
    func job(_ terms: Job) -> Job {
        var job = terms
        job.url = url
        job.method = method
        job.body = body
        job.headers = HeaderFields()
        for field in headers where !terms.headers.contains(where: { ByteText.isSame($0.name, field.name) }) {
            job.headers.append(field)
        }
        for field in terms.headers { job.headers.append(field) }
        return job
    }
}
