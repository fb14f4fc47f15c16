import Foundation
import Glibc
import SessionCore
import SessionSupport

/// Finds out what a run would do, without rows and without writing a file.
extension LocalService {
    /// Asks the servers of downloads; calls back once on any thread, with a preview of each job in their order.
    ///
    /// The service is for previews alone from then on.
    ///
    /// - Parameter names: the files of earlier previews, to which the ones of these are added.
    package func preview(
        _ jobs: [Job], _ names: PreviewNames, done: @escaping @Sendable ([JobPreview]) -> Void
    ) {
        let heads = Locked<[TransferID: ResponseHead]>([:])
        manager.onResponse = { task, head in
            heads.withLock { $0[task.id] = head }
            // One byte keeps the connection for the next request.
            return head.statusCode == 206 ? .allow : .cancel
        }
        let answers = Locked<[Int: PreviewAnswer]>([:])
        let group = DispatchGroup()
        let jobs = jobs.map(factory.checked)
        for (index, job) in jobs.enumerated() where job.isAsked && known(job, names) == nil {
            group.enter()
            ask(job, heads) { answer in
                answers.withLock { $0[index] = answer }
                group.leave()
            }
        }
        group.notify(queue: repeatQueue) { [self] in
            let answers = answers.withLock { $0 }
            done(
                jobs.enumerated().map { index, job in
                    let preview = preview(of: job, answers[index], names)
                    if let name = job.taskName { names.tell(preview.action, of: name) }
                    return preview
                })
        }
    }

    /// Asks with HEAD, and where that is refused for the first byte.
    private func ask(
        _ job: Job, _ heads: Locked<[TransferID: ResponseHead]>, _ tell: @escaping @Sendable (PreviewAnswer) -> Void
    ) {
        send("HEAD", job, heads) { [self] answer in
            guard answer.needsGet else { return tell(answer) }
            send("GET", job, heads, tell)
        }
    }

    private func send(
        _ method: String, _ job: Job, _ heads: Locked<[TransferID: ResponseHead]>,
        _ tell: @escaping @Sendable (PreviewAnswer) -> Void
    ) {
        do throws(SessionError) {
            var request = try factory.completeRequest(of: job)
            request.method = method
            if request.headers["Accept-Encoding"] == nil { request.headers["Accept-Encoding"] = "identity" }
            request.headers["Range"] = method == "GET" ? "bytes=0-0" : nil
            request.allowsHTTP2 = request.allowsHTTP2 ?? false
            let made = Locked<TransferID?>(nil)
            let task = try manager.dataTask(
                with: request, options: TaskOptions(delivery: .stream { _ in })
            ) { head, _, error in
                let id = made.withLock { $0 }
                let known = id.flatMap { id in heads.withLock { $0.removeValue(forKey: id) } }
                tell(PreviewAnswer(head: head ?? known, failure: error.map { TransferFailure($0) }))
            }
            made.withLock { $0 = task.id }
            task.resume()
        } catch {
            tell(PreviewAnswer(failure: TransferFailure(error)))
        }
    }

    // MARK: - Judging

    /// The preview of a download for which no server needs to be asked.
    private func known(_ job: Job, _ names: PreviewNames) -> JobPreview? {
        if let archive, job.output != .standardOutput, archive.contains(job) {
            return JobPreview(job, .archived, path: path(of: job))
        }
        let info = destinationInfo(for: job)
        guard case .name(let name) = job.output, !name.hasSuffix("/"), info.occupant == .file else { return nil }
        switch job.ifExists {
        case .skip: return JobPreview(job, .skip, path: path(of: job))
        case .fail:
            var preview = JobPreview(job, .fail, path: path(of: job))
            preview.fail(existsFailure(path(of: job) ?? name))
            return preview
        case .rename, .same, .sameOrFail, .overwrite, .refresh, .ask: return nil
        }
    }

    /// The preview of a task that does not start: added paused, or after one that is paused or fails.
    private func beforeStart(of job: Job, _ names: PreviewNames) -> JobPreview? {
        var preview = JobPreview(job, .paused, path: job.kind == .download ? path(of: job) : nil)
        guard !job.startsPaused else { return preview }
        let predecessors = job.predecessors.map { (name: $0, action: names.action(of: $0)) }
        let states = predecessors.map { (name: $0.name, state: $0.action?.end ?? Precedence.Predecessor.unfinished) }
        if case .fails(let sentence) = Precedence.verdict(states) {
            preview.fail(
                TransferFailure(kind: Cause.predecessor.rawValue, category: .ordinary, message: sentence))
            return preview
        }
        return predecessors.contains { $0.action == .paused } ? preview : nil
    }

    private func preview(of job: Job, _ answer: PreviewAnswer?, _ names: PreviewNames) -> JobPreview {
        if job.kind == .download, let destination = JobDestination(of: job, defaultDirectory: factory.directory),
            !names.isNew(job, at: destination)
        {
            return JobPreview(job, .repeated, path: path(of: job))
        }
        if let preview = beforeStart(of: job, names) { return preview }
        guard job.kind == .download else { return sent(job) }
        guard let answer else { return known(job, names) ?? JobPreview(job, .download, path: path(of: job)) }
        var preview = JobPreview(job, .download, path: nil)
        (preview.status, preview.length) = (answer.head?.statusCode, answer.length)
        if let problem = answer.problem {
            preview.fail(problem)
            return preview
        }
        if job.checksum == nil, let problem = factory.checksumProblem(of: job) {
            preview.fail(TransferFailure(SessionError(.checksum, problem, failingURL: job.url)))
            return preview
        }
        guard job.output != .standardOutput, factory.specialPath(of: job) == nil else {
            preview.path = factory.specialPath(of: job)
            return preview
        }
        place(&preview, answer, names)
        return preview
    }

    /// Decides about the file of a download whose server has responded.
    private func place(_ preview: inout JobPreview, _ answer: PreviewAnswer, _ names: PreviewNames) {
        var target = factory.target(of: preview.job)
        let kept = target.existing(url: preview.job.url).keptBytes
        if target.name == .automatic {
            target.name = .fixed(FileNames.automatic(url: preview.job.url, head: answer.head))
        }
        let existing = target.existing(url: preview.job.url)
        let path = target.folder + "/" + existing.name
        let fits = kept > 0 && !answer.refusesRanges && kept <= answer.length ?? .max
        let isTaken = preview.job.ifExists == .rename && names.has(path)
        let occupant: DestinationInfo.Occupant? =
            switch existing.occupant {
            case nil: isTaken ? .file : nil
            case .file: .file
            case .obstacle: .obstacle
            }
        preview.action = .of(occupant, preview.job.ifExists, resumes: fits)
        preview.path = path
        switch preview.action {
        case .fail: preview.fail(existsFailure(path))
        case .skip: break
        case .number:
            preview.path = names.free(existing.name, in: target.folder)
            if fits { preview.keptBytes = kept }
        default: if fits { preview.keptBytes = kept }
        }
        if let path = preview.path { names.take(path) }
    }

    /// An upload or a request, whose server is not asked.
    private func sent(_ job: Job) -> JobPreview {
        var preview = JobPreview(job, job.kind == .upload ? .upload : .request)
        switch job.body {
        case .file(let path):
            preview.path = path
            var status = stat()
            if stat(path, &status) == 0 { preview.length = Int64(status.st_size) }
        case .text(let text): preview.length = Int64(text.utf8.count)
        case .none, .formFile, .standardInput: break
        }
        return preview
    }

    private func existsFailure(_ path: String) -> TransferFailure {
        TransferFailure(SessionError(.destinationExists, ServiceErrors.exists(path)))
    }
}

/// The files that earlier previews have named, so that no two get one name.
package final class PreviewNames: Sendable {
    private struct Known {
        var paths: Set<String> = []
        /// The jobs of each destination.
        var jobs: [JobDestination: [Job]] = [:]
        var actions: [String: JobPreview.Action] = [:]
    }

    private let state = Locked(Known())

    package init() {}

    func has(_ path: String) -> Bool { state.withLock { $0.paths.contains(path) } }

    func take(_ path: String) { state.withLock { _ = $0.paths.insert(path) } }

    /// Whether a download gets a row of its own; the same one of an earlier line stands for it otherwise.
    func isNew(_ job: Job, at destination: JobDestination) -> Bool {
        state.withLock { state in
            guard state.jobs[destination]?.allSatisfy(job.isBeside) ?? true else { return false }
            state.jobs[destination, default: []].append(job)
            return true
        }
    }

    func tell(_ action: JobPreview.Action, of task: String) { state.withLock { $0.actions[task] = action } }

    /// What becomes of a named task; nil for one of a later line.
    func action(of task: String) -> JobPreview.Action? { state.withLock { $0.actions[task] } }

    /// The path with the lowest number that no file and no earlier preview has.
    func free(_ name: String, in folder: String) -> String {
        var number = 1
        while true {
            let path = folder + "/" + FileNames.numbered(name, number)
            var status = stat()
            if !has(path), lstat(path, &status) != 0 { return path }
            number += 1
        }
    }
}
