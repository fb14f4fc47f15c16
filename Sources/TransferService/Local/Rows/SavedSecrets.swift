import Foundation
import Glibc
import SessionSupport

/// The secrets of a saved session's tasks, in a file beside it that only its user can read.
///
/// The file is a log of JSON lines: a job for each task with secrets, and a number alone for each removed task. A start
/// rewrites it without what is no longer needed. Safe from any thread; changes are written in order, on a queue.
final class SavedSecrets: Sendable {
    private struct Line: Codable {
        var id: UInt64
        var job: Job?
    }

    private struct State {
        var jobs: [UInt64: Job] = [:]
        var problem: SafeText?
        /// Whether the file has what could not be read, so that it is only added to.
        var isUnread = false
    }

    private let path: String
    /// Whether new secrets are kept; known ones are removed with their tasks in any case.
    private let keepsNew: Bool
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "netdash.secrets")

    /// Reads the file; nil for a session without one that keeps no secrets.
    init?(session name: String, folder: String, keepsNew: Bool) {
        path = folder + "/" + name + ".secrets"
        self.keepsNew = keepsNew
        do throws(Descriptor.ReadError) {
            guard let bytes = try Self.contents(of: path) else {
                if keepsNew { return }
                return nil
            }
            let decoder = JSONDecoder()
            for text in bytes.split(separator: UInt8(ascii: "\n")) {
                // A power cut may leave half a line.
                guard let line = try? decoder.decode(Line.self, from: Data(text)) else { continue }
                state.withLock { $0.jobs[line.id] = line.job }
            }
        } catch {
            state.withLock { $0.isUnread = true }
            fail(error.errno)
        }
    }

    /// The sentence about secrets that could not be read or written; nil without one.
    var problem: SafeText? { state.withLock { $0.problem } }

    /// The secret parts of a task's job; nil where none are kept.
    func job(of id: UInt64) -> Job? { state.withLock { $0.jobs[id] } }

    /// Keeps the secret parts of a task's job, if it has some.
    func put(_ job: Job, of id: UInt64) {
        let parts = job.hidesSecrets ? job.secretParts : nil
        let line = state.withLock { state -> Line? in
            let known = state.jobs[id]
            let line = Line(id: id, job: keepsNew || known != nil ? parts : nil)
            guard known != line.job else { return nil }
            state.jobs[id] = line.job
            return line
        }
        if let line { append([line]) }
    }

    func remove(_ ids: [UInt64]) {
        let known = state.withLock { state in ids.filter { state.jobs.removeValue(forKey: $0) != nil } }
        if !known.isEmpty { append(known.map { Line(id: $0) }) }
    }

    /// Rewrites the file with the secrets of these tasks alone; without any, it deletes the file.
    ///
    /// A file that could not be read stays for the next start.
    func keep(only ids: Set<UInt64>) {
        let kept = state.withLock { state -> [Line]? in
            guard !state.isUnread else { return nil }
            state.jobs = state.jobs.filter { ids.contains($0.key) }
            return state.jobs.map { Line(id: $0.key, job: $0.value) }
        }
        guard let lines = kept else { return }
        queue.async { [self] in
            guard !lines.isEmpty else {
                if unlink(path) != 0, errno != ENOENT { fail(errno) }
                return
            }
            if let number = FileReplacement.write(Self.bytes(of: lines), to: path, access: .user) { fail(number) }
        }
    }

    /// Waits until every change is written.
    func close() { queue.sync {} }

    // MARK: - Helpers

    private func append(_ lines: [Line]) {
        queue.async { [self] in
            let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return fail(errno) }
            var number: Int32?
            if !Descriptor.writeAll(Self.bytes(of: lines), to: descriptor) { number = errno }
            if Glibc.close(descriptor) != 0 { number = number ?? errno }
            if let number { fail(number) }
        }
    }

    private func fail(_ number: Int32) {
        let sentence = ServiceErrors.secretsUnusable(SafeText(untrusted: path), SystemWords.text(number))
        state.withLock { $0.problem = sentence }
    }

    private static func bytes(of lines: [Line]) -> [UInt8] {
        let encoder = JSONEncoder()
        return lines.reduce(into: []) { bytes, line in
            guard let data = try? encoder.encode(line) else { return }
            bytes += data
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// The bytes of a file of this user that others cannot read from now on; nil for a missing file.
    private static func contents(of path: String) throws(Descriptor.ReadError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw Descriptor.ReadError(errno: errno) }
            return nil
        }
        defer { _ = Glibc.close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw Descriptor.ReadError(errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid() else {
            throw Descriptor.ReadError(errno: EACCES)
        }
        if facts.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 { throw Descriptor.ReadError(errno: errno) }
        var result: [UInt8] = []
        while let bytes = try Descriptor.read(descriptor, limit: 256 << 10), !bytes.isEmpty { result += bytes }
        return result
    }
}

extension Job {
    /// Whether a saved session hides a part of it.
    var hidesSecrets: Bool {
        Redaction.url(url, userInfo: .removed) != url || body.holdsSecret
            || headers.contains { Redaction.hidesField($0.name) }
            || options.contains { $0.option.memory != .none && $0.storable.isHidden }
    }

    /// The parts in which it may have secrets.
    fileprivate var secretParts: Job {
        var parts = Job(kind: kind, url: url)
        (parts.headers, parts.body) = (headers, body)
        parts.options = options.filter { $0.option.memory != .none }
        return parts
    }

    /// This job as it was before a saved session hid its secrets.
    func completed(by secrets: Job) -> Job {
        var job = self
        (job.url, job.headers, job.body, job.options) = (secrets.url, secrets.headers, secrets.body, secrets.options)
        return job
    }
}
