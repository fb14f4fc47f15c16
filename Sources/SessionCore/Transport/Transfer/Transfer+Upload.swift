import CCurl
import SessionSupport

/// The state of a resumable upload within its transfer.
///
/// A class, so that nearly all transfers, which have none, carry only a reference. Confined to the transfer loop.
final class UploadState {
    var machine: ResumableUpload
    /// Interim responses (1xx) of the current attempt that were handled.
    var heardCount = 0

    init(_ machine: ResumableUpload) { self.machine = machine }

    /// Returns the part of a body that the current request sends.
    func piece(of body: any BodySource) -> any BodySource {
        guard let piece = machine.piece, piece != 0..<machine.content.length else { return body }
        return PieceBodySource(body, piece)
    }
}

extension Transfer {
    /// The offset in the upload at which the current request begins.
    var uploadBase: Int64 { upload?.machine.base ?? 0 }

    /// The request that the upload's requests are derived from.
    private var originalRequest: TransferRequest { description.request }

    /// Prepares the upload's next request; if the file has changed, the upload restarts.
    func prepareUpload() {
        guard description.kind == .upload, let plan = originalRequest.uploadPlan,
            let content = UploadContent(of: originalRequest.body)
        else { return }
        guard upload?.machine.content != content else { return }
        let begun = upload == nil ? plan.location : upload?.machine.location
        upload = UploadState(ResumableUpload(upload == nil ? plan : UploadPlan(plan.intent), content: content))
        if let begun, begun.content != content {
            core.emit(.restarted(id, reason: ResumeReasons.bodyFileChanged))
            core.emit(.uploadPlaced(id, nil))
        }
        turnToUpload()
    }

    /// Makes the current step's request the next one that is sent.
    func turnToUpload() {
        guard let upload else { return }
        upload.machine.begin()
        upload.heardCount = 0
        ask(upload.machine.request(for: originalRequest))
    }

    /// Handles an interim response; returns false when the attempt has to end.
    func hearInterim(of attempt: Attempt) -> Bool {
        guard let upload, attempt.parser.interimHeads.count > upload.heardCount,
            let head = attempt.parser.interimHeads.last
        else { return true }
        upload.heardCount = attempt.parser.interimHeads.count
        if changeUpload({ $0.hear(head, original: originalRequest) }) != false { return true }
        let step: NextStep =
            switch uploadOutcome(of: head, attempt) {
            case .answer, .next, nil: .uploadStep(restarts: nil)
            case .restartFromZero(let reason): .uploadStep(restarts: reason)
            case .later(let error): .retry(error, afterMilliseconds: nil)
            case .fail(let error): .fail(error)
            }
        attempt.decide(step)
        return false
    }

    /// Returns what an upload concludes from a response; nil for any other transfer.
    func uploadOutcome(of head: ResponseHead, _ attempt: Attempt) -> ResumableUpload.Outcome? {
        guard upload != nil else { return nil }
        recordUploaded(by: attempt)
        return changeUpload { $0.judge(head, original: originalRequest) }
    }

    /// Returns the step after a server did not answer the OPTIONS request about resumable uploads; nil for any other
    /// request, and when this machine has no network.
    func nextAfterSilence(_ attempt: Attempt, _ result: CURLcode) -> NextStep? {
        guard let upload, attempt.handle.hasSentRequest, !attempt.isAnswered,
            isLocal(attempt) || core.network.hasRoute(nil),
            upload.machine.foundNoAnswer(stalled: result == CURLE_OPERATION_TIMEDOUT)
        else { return nil }
        let reason = ResumeReasons.noOptions(hostName)
        return .uploadStep(restarts: reason)
    }

    /// Moves to the upload's next request; the metrics keep its earlier responses.
    func takeUploadStep(restarts reason: String?) {
        let heads = figures.metrics.earlierHeads + (answer.head.map { [$0] } ?? [])
        if upload?.machine.takeProgress() == true { tries.succeeded() }
        if let reason { core.emit(.restarted(id, reason: reason)) }
        answer.page = nil
        startOver()
        figures.metrics.recordEarlier(heads)
    }

    /// Records how much of its piece an attempt has sent.
    func recordUploaded(by attempt: Attempt) {
        upload?.machine.moved(handedOut: attempt.sent, arrived: bytesArrived(of: attempt))
    }

    /// Changes the upload's state, and reports its URL on the server if that is new.
    private func changeUpload<Result>(_ change: (inout ResumableUpload) -> Result) -> Result? {
        guard let upload else { return nil }
        let location = upload.machine.location
        defer { if upload.machine.location != location { core.emit(.uploadPlaced(id, upload.machine.location)) } }
        return change(&upload.machine)
    }
}

/// A source for a range of a body.
private final class PieceBodySource: BodySource {
    private let body: any BodySource
    private let piece: Range<Int64>
    private var offset: Int64 = 0
    private var isPlaced: Bool

    init(_ body: any BodySource, _ piece: Range<Int64>) {
        (self.body, self.piece) = (body, piece)
        isPlaced = body.seek(to: piece.lowerBound)
    }

    var length: Int64? { Int64(piece.count) }
    var canRewind: Bool { body.canRewind }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        guard isPlaced else { return .failed(SessionError(.bodyUnreadable, ResumeErrors.bodyMiddle)) }
        let room = Int(min(Int64(buffer.count), Int64(piece.count) - offset))
        guard room > 0 else { return .end }
        let result = body.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        if case .bytes(let count) = result { offset += Int64(count) }
        return result
    }

    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= Int64(piece.count), body.seek(to: piece.lowerBound + offset) else { return false }
        (self.offset, isPlaced) = (offset, true)
        return true
    }
}

extension UploadContent {
    /// Describes a body's present content; nil where it cannot be read, or cannot be read from its middle.
    init?(of body: BodySpecification) {
        switch body {
        case .bytes(let bytes): self.init(length: Int64(bytes.count), modified: 0)
        case .file(let path):
            guard !BodySpecification.isReadOnce(path), let file = try? BodyFile(path: path), let size = file.size else {
                return nil
            }
            self.init(
                length: size, modified: file.status.modified, changed: file.status.changed,
                inode: file.status.identity.inode)
        case .none, .descriptor, .pieces: return nil
        }
    }
}
