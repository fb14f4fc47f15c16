import Dashboard
import Foundation
import SessionSupport
import TransferService

/// Reads the file.
extension RequestFile {
    /// The most bytes of a file.
    private static let byteLimit = 16 << 20

    /// Reads the file and returns its requests in order.
    ///
    /// - Parameter usual: the settings of the configuration, which are farther from the request than the file's.
    func jobs(environment: [String: String], beside usual: Job) throws(UsageError) -> [Job] {
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
        let jobs = requests.map { $0.job(terms, beside: usual) }
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
}

extension HTTPFile.Request {
    /// The request with the terms of a run, of which the command line's take the place of its own, and its own the
    /// place of the configuration's, which are `usual`.
    func job(_ terms: Job, beside usual: Job) -> Job {
        let given = terms.ownSettings(beside: usual)
        let own = headers.filter { field in !given.contains { $0.displaces(.field(field)) } }
        var job = terms.without(usual.settings) { far in own.contains { RequestSetting.field($0).displaces(far) } }
        job.url = url
        job.method = method
        job.body = body
        job.headers = HeaderFields(own + job.headers)
        return job
    }
}
