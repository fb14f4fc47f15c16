import SessionCore
import SessionSupport

/// Builds the dashboard's snapshot of a row.
extension TransferFailure {
    /// Whether the status of the response is the failure.
    fileprivate var isOfStatus: Bool {
        let code = SessionError.Code(rawValue: kind)
        return (httpStatus ?? 0) >= 400 && (code == .http || code == .authenticationRequired)
    }
}

extension TransferRow {
    /// The current state; `directory` is the folder of downloads without their own.
    func snapshot(retryLimit: Int, directory: String?, _ routes: JobRoutes) -> RowSnapshot {
        let url = Redaction.url(job.url)
        var snapshot = RowSnapshot(id: id, kind: job.kind, name: name, url: SafeText(maskedURL: url))
        snapshot.figures = figures(retryLimit: retryLimit)
        snapshot.host = SafeText(untrusted: host)
        snapshot.route = ServerBackoff.route(routes.route(of: job))
        snapshot.method = SafeText(untrusted: job.sentMethod)
        snapshot.error = sentence
        snapshot.path = (path ?? intendedPath(directory: directory)).map { SafeText(untrusted: $0) }
        snapshot.protocolName = protocolName
        return snapshot
    }

    /// The current numbers, which cost no text.
    func figures(retryLimit: Int) -> RowFigures {
        let (status, isPaused) = (status, isPaused)
        var figures = RowFigures(id: id, kind: job.kind)
        figures.state = state(of: status, isPaused: isPaused)
        figures.received = status.received
        figures.sent = status.sent
        figures.expected = job.kind == .upload ? status.expectedToSend : status.expectedToReceive
        figures.resumedAt = status.resumedAt
        figures.continuation = status.resumability
        figures.statusCode = isCauseElsewhere(status) ? nil : status.statusCode
        figures.cause = figures.state == .queued ? nil : cause(status)
        figures.inFlight = isPaused ? Int32(clamping: status.inFlight) : 0
        figures.retryAt = status.retryAt
        figures.answerAwaitedSince = status.answerAwaitedSince
        figures.startedAt = run.startedAt
        figures.endedAt = run.endedAt
        figures.failedAttempts = Int32(clamping: status.failedAttempts)
        // A poll has no limit of its requests.
        figures.retryLimit = job.options.answerTerms?.isPoll == true ? 0 : Int32(clamping: retryLimit)
        figures.repetition = repeatInterval == nil ? .none : isRepetitionPaused ? .paused : .active
        figures.wasSkipped = run.wasSkipped
        figures.priority = priority
        figures.position = position
        return figures
    }

    /// Where it stands among the others.
    var standing: RowStanding {
        RowStanding(
            id: id, position: position, endedAt: run.endedAt, state: state(of: status, isPaused: isPaused),
            priority: priority)
    }

    /// The reason for its failure, or for its wait for a retry.
    private func cause(_ status: TaskStatus) -> Cause? {
        if case .failed(let failure) = run.result { return Cause(rawValue: failure.kind) }
        if run.undecided != nil { return .destinationExists }
        guard status.phase == .retrying else { return nil }
        if status.backoffReason == .noNetwork { return .noNetwork }
        return status.retryCause.flatMap { Cause(rawValue: $0.rawValue) }
    }

    /// Whether the latest response was an error, but a later attempt failed for another reason.
    private func isCauseElsewhere(_ status: TaskStatus) -> Bool {
        guard case .failed(let failure) = run.result, !run.isEarlier else { return false }
        return failure.httpStatus == nil && (status.statusCode ?? 0) >= 400
    }

    /// The current state under a run's settings.
    func snapshot(_ settings: ServiceSettings, _ routes: JobRoutes) -> RowSnapshot {
        snapshot(retryLimit: settings.retries, directory: settings.directory, routes)
    }

    private func state(of status: TaskStatus, isPaused: Bool) -> RowState {
        if isRepetitionPaused, isFinal { return .paused }
        switch run.result {
        case .completed: return .done
        case .failed: return .failed
        case .cancelled: return .cancelled
        case .unfinished, nil: break
        }
        if isPaused { return isQuiet(status) ? .paused : .pausing }
        switch status.phase {
        case .queued: return .queued
        case .connecting, .running: return .running
        // It waits for its server, and has used none of its retries.
        case .retrying: return status.backoffReason != nil && status.failedAttempts == 0 ? .queued : .retrying
        // It was resumed, and the loop will queue it in a moment.
        case .paused: return .queued
        case .verifying: return job.checksum == nil ? .saving : .verifying
        // The end is reported in a moment.
        case .completed: return job.kind == .download ? .saving : .running
        case .failed, .cancelled: return .running
        }
    }

    /// Whether a pause has taken effect: nothing is read or sent, and no sent bytes are in flight.
    private func isQuiet(_ status: TaskStatus) -> Bool {
        switch status.phase {
        case .connecting, .running: false
        case .queued, .retrying, .paused, .verifying, .completed, .failed, .cancelled: status.inFlight == 0
        }
    }

    /// Whether it was paused last.
    ///
    /// A task knows that before its loop does, and before any event.
    private var isPaused: Bool {
        if run.isPausedInQueue { return true }
        // A new task is suspended too, for the moment until it starts.
        guard run.isSteered, let task = run.task else { return run.isSuspended }
        return task.state == .suspended
    }

    private var sentence: SafeText? {
        if case .failed(let failure) = run.result {
            // Other failures may follow a good status, and a 416 may show another file: it does not explain them.
            guard failure.isOfStatus, !statusLine.isEmpty else {
                return SafeText(untrusted: failure.message)
            }
            let after = moved > 0 && job.kind == .download ? " after " + SizeText.short(moved) : SafeText.empty
            return statusLine + " from " + SafeText(untrusted: host) + after
        }
        if let undecided = run.undecided { return SafeText(untrusted: undecided) }
        if isUnanswered { return SafeText(untrusted: ServiceErrors.bodyUnanswered) }
        if run.isUnjudged, run.isPausedInQueue { return SafeText(untrusted: ServiceErrors.unjudged) }
        return status.phase == .retrying ? run.retryReason.map { SafeText(untrusted: $0) } : nil
    }

    /// Whether it waits for its user because the run before sent its complete body and ended without a response.
    var isUnanswered: Bool {
        guard job.kind != .download, !isFinal, run.isPausedInQueue, run.startedAt == nil,
            let length = run.lastStatus.expectedToSend, length > 0
        else { return false }
        return run.lastStatus.sent >= length
    }

    private var protocolName: SafeText {
        switch run.protocolVersion ?? run.task?.responseHead?.version {
        case .http1_0, .http1_1: "h1"
        case .http2: "h2"
        case .http3: "h3"
        case nil: .empty
        }
    }

    private var name: SafeText {
        switch job.kind {
        case .data: return SafeText(untrusted: job.sentMethod) + " " + readablePath + distinction
        case .upload: return uploadName + " → " + readablePath
        case .download:
            if let path { return SafeText(untrusted: Self.lastComponent(of: path)) }
            if case .name(let name) = job.output, !job.output.isFolder {
                return SafeText(untrusted: Self.lastComponent(of: name))
            }
            return SafeText(untrusted: DownloadTarget.name(offeredBy: job.url) ?? folderInURL ?? host)
        }
    }

    /// The words that distinguish equal requests, and repeated ones.
    private var distinction: SafeText {
        let number: SafeText = ordinal > 1 ? " #" + SafeText(ordinal) : ""
        return number + (repeatInterval.map { " · every " + SafeText($0) + "s" } ?? "")
    }

    /// The path of its file, as far as it is known before the server has named it.
    func intendedPath(directory: String?) -> String? {
        let name =
            job.kind == .download ? DownloadTarget.name(offeredBy: job.url) ?? DownloadTarget.nameOfLastResort : nil
        return Self.path(of: job, directory: directory, nameInURL: name)
    }

    /// The path of a job's file; nil while it has no name.
    static func path(of job: Job, directory: String?, nameInURL: String? = nil) -> String? {
        switch (job.kind, job.body) {
        case (.upload, .file(let path)): return path
        case (.upload, _): return nil
        case (.data, _), (.download, _): break
        }
        guard job.output != .standardOutput else { return nil }
        let destination = JobDestination.resolve(job, defaultDirectory: job.kind == .download ? directory : nil)
        return (destination.name ?? nameInURL).map { destination.folder + "/" + $0 }
    }

    /// The folder that the URL names with a trailing slash; nil without one.
    private var folderInURL: String? {
        let path = job.url[URLScan(job.url).path]
        guard path.hasSuffix("/") else { return nil }
        return path.split(separator: "/").last.map { ReadablePath.text($0) }
    }

    /// The path and the query in readable form.
    private var readablePath: SafeText { SafeText(untrusted: ReadablePath.text(urlPath)) }

    private var uploadName: SafeText {
        switch job.body {
        case .file(let path), .formFile(let path): SafeText(untrusted: Self.lastComponent(of: path))
        case .standardInput: DetailLines.standardInputName
        case .text, .none: DetailLines.textName
        }
    }

    private var host: String {
        let url = job.url
        let scan = URLScan(url)
        guard let host = scan.host else { return "" }
        return String(url[host.lowerBound..<(scan.port ?? host).upperBound])
    }

    var urlPath: String {
        let url = Redaction.url(job.url)
        let path = URLScan(url).path
        return path.isEmpty ? "/" : String(url[path.lowerBound...])
    }

    private static func lastComponent(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }
}
