import CCurl
import SessionSupport

/// An upload that goes on behind what its server has, in the hands of its transfer.
///
/// A class, so that the nearly all transfers without one have no more than a reference. Confined to the transfer loop.
final class UploadState {
    var machine: ResumableUpload
    /// Interim answers of the current attempt that were heard.
    var heardCount = 0

    init(_ machine: ResumableUpload) { self.machine = machine }

    /// The bytes of a body that the current request brings.
    func piece(of body: any BodySource) -> any BodySource {
        guard let piece = machine.piece, piece != 0..<machine.content.length else { return body }
        return PieceBodySource(body, piece)
    }
}

extension Transfer {
    /// Bytes of the upload before those of the current request.
    var uploadBase: Int64 { upload?.machine.base ?? 0 }

    /// The request that the upload's requests are made of.
    private var originalRequest: TransferRequest { description.request }

    /// Gets ready for the next request of an upload; one whose bytes are others by now begins anew.
    func prepareUpload() {
        guard description.kind == .upload, let plan = originalRequest.uploadPlan,
            let content = UploadContent(of: originalRequest.body)
        else { return }
        guard upload?.machine.content != content else { return }
        let begun = upload == nil ? plan.place : upload?.machine.place
        upload = UploadState(ResumableUpload(upload == nil ? plan : UploadPlan(plan.intent), content: content))
        if let begun, begun.content != content {
            core.emit(.restarted(id, reason: ResumeReasons.bodyFileChanged))
            core.emit(.uploadPlaced(id, nil))
        }
        turnToUpload()
    }

    /// Makes the request of the current step the next one that is sent.
    func turnToUpload() {
        guard let upload else { return }
        upload.machine.begin()
        upload.heardCount = 0
        ask(upload.machine.request(for: originalRequest))
    }

    /// Hears an interim answer; false when the attempt has to end.
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

    /// What an upload makes of an answer; nil for any other transfer.
    func uploadOutcome(of head: ResponseHead, _ attempt: Attempt) -> ResumableUpload.Outcome? {
        guard upload != nil else { return nil }
        recordUploaded(by: attempt)
        return changeUpload { $0.judge(head, original: originalRequest) }
    }

    /// What follows where nobody has answered the question how uploads go on; nil for any other request, and where this machine
    /// has no network.
    func nextAfterSilence(_ attempt: Attempt, _ result: CURLcode) -> NextStep? {
        guard let upload, attempt.handle.hasSentRequest, !attempt.isAnswered,
            isLocal(attempt) || core.network.hasRoute(nil),
            upload.machine.foundNoAnswer(stalled: result == CURLE_OPERATION_TIMEDOUT)
        else { return nil }
        let reason = ResumeReasons.noOptions(hostName)
        return .uploadStep(restarts: reason)
    }

    /// Goes on with the next request of the upload; its answers so far stay in the figures.
    func takeUploadStep(restarts reason: String?) {
        let heads = figures.metrics.earlierHeads + (answer.head.map { [$0] } ?? [])
        if upload?.machine.takeProgress() == true { tries.succeeded() }
        if let reason { core.emit(.restarted(id, reason: reason)) }
        answer.page = nil
        startOver()
        figures.metrics.recordEarlier(heads)
    }

    /// Records what an attempt has sent of its piece.
    func recordUploaded(by attempt: Attempt) {
        upload?.machine.moved(handedOut: attempt.sent, arrived: bytesArrived(of: attempt))
    }

    /// Changes the upload, and tells where its server keeps it when that is new.
    private func changeUpload<Result>(_ change: (inout ResumableUpload) -> Result) -> Result? {
        guard let upload else { return nil }
        let place = upload.machine.place
        defer { if upload.machine.place != place { core.emit(.uploadPlaced(id, upload.machine.place)) } }
        return change(&upload.machine)
    }
}

/// A piece of a body, which begins behind its first byte or ends before its last.
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
    /// What a body is at the moment; nil where it cannot be read, or not from its middle.
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
