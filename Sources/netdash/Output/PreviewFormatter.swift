import Dashboard
import SessionSupport
import TransferService

/// Formats what a run would do: a line or a JSON object for each task, and one for all.
struct PreviewFormatter {
    let isJSON: Bool

    func line(of preview: JobPreview) -> String {
        isJSON ? object(of: preview) : words(of: preview).string
    }

    func line(of sum: PreviewSum) -> String {
        isJSON ? object(of: sum) : words(of: sum).string
    }

    // MARK: - Lines

    private func words(of preview: JobPreview) -> SafeText {
        let url = SafeText(url: preview.job.url)
        var action = words(of: preview.action, preview)
        guard preview.failure == nil else { return PreviewLines.line(action, url) }
        if !preview.job.predecessors.isEmpty {
            let names = preview.job.predecessors.map { SafeText(untrusted: $0) }
            action = PreviewLines.after(names.joined(by: ", "), action)
        }
        let line = PreviewLines.line(action, url)
        let path = preview.path.map { SafeText(untrusted: $0) }
        let size = preview.length.map { SizeText.long($0) }
        switch preview.action {
        case .upload, .request:
            let line = path.map { PreviewLines.from($0, line) } ?? line
            return size.map { PreviewLines.size($0, line) } ?? line
        case .skip, .archived, .repeated, .paused: return path.map { PreviewLines.to($0, line) } ?? line
        default:
            let placed = PreviewLines.to(path ?? PreviewLines.standardOutput, line)
            return PreviewLines.size(size ?? PreviewLines.unknownSize, placed)
        }
    }

    private func words(of action: JobPreview.Action, _ preview: JobPreview) -> SafeText {
        switch action {
        case .download: PreviewLines.downloads
        case .resume: PreviewLines.resumes(at: SizeText.long(preview.keptBytes))
        case .number: PreviewLines.numbers
        case .replace: PreviewLines.replaces
        case .refresh: PreviewLines.refreshes
        case .compare: PreviewLines.compares
        case .ask: PreviewLines.asks
        case .skip: PreviewLines.skips
        case .archived: PreviewLines.archived
        case .repeated: PreviewLines.repeated
        case .paused: PreviewLines.paused
        case .upload: PreviewLines.uploads
        case .request: PreviewLines.requests(SafeText(untrusted: preview.job.sentMethod))
        case .fail: PreviewLines.fails(SafeText(untrusted: preview.failure?.message ?? ""))
        }
    }

    private func words(of sum: PreviewSum) -> SafeText {
        var parts = [PreviewLines.transfers(sum.transfers), PreviewLines.sum(sum.bytes)]
        if sum.unsized > 0 { parts.append(PreviewLines.unsized(sum.unsized)) }
        if sum.paused > 0 { parts.append(PreviewLines.paused(sum.paused)) }
        if sum.skipped > 0 { parts.append(PreviewLines.skipped(sum.skipped)) }
        if sum.failed > 0 { parts.append(PreviewLines.failed(sum.failed)) }
        return parts.joined(by: ", ")
    }

    // MARK: - JSON

    private func object(of preview: JobPreview) -> String {
        var object = JSONObjectWriter()
        object.add("event", "preview")
        object.add("kind", preview.job.kind.rawValue)
        object.add("url", Redaction.url(preview.job.url))
        object.add("method", preview.job.sentMethod)
        if let tag = preview.job.tag { object.add("tag", tag) }
        let predecessors = preview.job.predecessors
        if !predecessors.isEmpty { object.add("after", predecessors.joined(separator: ",")) }
        object.add("action", preview.action.rawValue)
        object.add("path", preview.path)
        object.add("length", preview.length)
        object.add("keptBytes", preview.keptBytes)
        object.add("status", preview.status)
        if let failure = preview.failure {
            object.add("error") { error in
                error.add("kind", failure.kind)
                error.add("message", failure.message)
                error.add("httpStatus", failure.httpStatus)
            }
        }
        return String(decoding: object.closed(), as: UTF8.self)
    }

    private func object(of sum: PreviewSum) -> String {
        var object = JSONObjectWriter()
        object.add("event", "previewSummary")
        object.add("transfers", sum.transfers)
        object.add("bytes", sum.bytes)
        object.add("unknownSizes", sum.unsized)
        object.add("paused", sum.paused)
        object.add("skipped", sum.skipped)
        object.add("failed", sum.failed)
        return String(decoding: object.closed(), as: UTF8.self)
    }
}

/// The sums of a dry run: transfers, bytes, and the tasks that would be paused, be skipped or fail.
struct PreviewSum: Sendable, Equatable {
    private(set) var transfers = 0
    private(set) var bytes: Int64 = 0
    private(set) var unsized = 0
    private(set) var paused = 0
    private(set) var skipped = 0
    private(set) var failed = 0

    mutating func add(_ preview: JobPreview) {
        switch preview.action {
        case .skip, .archived, .repeated: skipped += 1
        case .paused: paused += 1
        case .fail: failed += 1
        case .download, .resume, .number, .replace, .refresh, .compare, .ask, .upload, .request:
            transfers += 1
            guard let remaining = preview.remaining else { return unsized += 1 }
            // A server may name any length.
            let (sum, overflowed) = bytes.addingReportingOverflow(remaining)
            bytes = overflowed ? .max : sum
        }
    }
}
