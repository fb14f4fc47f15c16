import SessionSupport

/// The state of an upload that can be interrupted within its transfer: its requests, and what responses lead to.
///
/// A class, so that nearly all transfers, which have none, carry only a reference. Confined to the transfer loop.
final class UploadState {
    private(set) var machine: any UploadMachine
    /// True once its caller has given the upload up, so that it is being removed at the server.
    private(set) var isGivenUp = false
    /// The connections beside the lead; nil for an upload that has none.
    private(set) var connections: UploadConnections?
    /// The most bytes that were reported as sent.
    private var shown: Int64 = 0
    /// The request that the upload's requests are derived from.
    private let original: TransferRequest
    /// Interim responses (1xx) of the current attempt that were handled.
    private var heardCount = 0
    /// The URL that the client was told last.
    private var toldLocation: UploadLocation?

    /// - Parameter told: the upload's URL as the client knows it.
    init(_ machine: any UploadMachine, original: TransferRequest, told: UploadLocation?) {
        (self.machine, self.original, toldLocation) = (machine, original, told)
    }

    /// The offset in the upload at which the current request begins.
    var base: Int64 { machine.base }

    /// Begins an upload, or begins it again because its file has changed; nil for a request that cannot resume, and for
    /// an upload whose file is the same.
    ///
    /// `restarts` says whether bytes that a server has are given up.
    ///
    /// - Parameter options: the request's options, completed by the session's.
    static func begin(
        _ original: TransferRequest, content: @autoclosure () -> UploadContent?, after earlier: UploadState?,
        options: RequestOptions? = nil
    ) -> (state: UploadState, restarts: Bool)? {
        guard let plan = original.uploadPlan, let content = content(), earlier?.machine.content != content else {
            return nil
        }
        let begun = earlier == nil ? plan.location : earlier?.machine.location
        let current = earlier == nil ? plan : UploadPlan(plan.intent)
        guard let machine = machine(current, content, to: original.url, begun: begun, options) else { return nil }
        let restarts = begun.map { $0.content != content } ?? false
        return (UploadState(machine, original: original, told: restarts ? nil : begun), restarts)
    }

    /// The bytes from which on a file is sent in parts without being asked for.
    private static let partsBound: Int64 = 64 << 20

    /// Returns the machine of an upload; nil for one that is sent as if it could not be interrupted.
    private static func machine(
        _ plan: UploadPlan, _ content: UploadContent, to url: String, begun: UploadLocation?,
        _ options: RequestOptions?
    ) -> (any UploadMachine)? {
        let isAutomatic = plan.intent == .automatic && options?.signsForStore(url) == true
        guard plan.intent == .multipart || isAutomatic else {
            return ResumableUpload(plan, content: content, to: url, begun: begun)
        }
        let object = URLParser.withoutFragment(url)
        guard content.length > 0, !object.contains("?") else { return nil }
        let upload = MultipartUpload(content, to: object, partSize: options?.partSize, begun: begun)
        let bound = isAutomatic ? max(partsBound, upload.partSize) : upload.partSize
        return content.length > bound || begun?.style == .multipart ? upload : nil
    }

    /// Returns the current step's request, which is the next one that is sent.
    func nextRequest() -> TransferRequest {
        machine.begin()
        heardCount = 0
        return machine.request(for: original)
    }

    /// Returns the part of a body that the current request sends.
    func piece(of body: any BodySource) -> any BodySource {
        guard let piece = machine.piece, piece != 0..<machine.content.length else { return body }
        return PieceBodySource(body, piece)
    }

    /// Handles the interim responses of the current attempt; returns false when it contradicts itself, so that the
    /// attempt has to end.
    func hear(_ heads: [ResponseHead]) -> Bool {
        guard heads.count > heardCount, let head = heads.last else { return true }
        heardCount = heads.count
        return machine.hear(head, original: original)
    }

    /// Returns the number of sent bytes to report.
    func show(_ count: Int64) -> Int64 {
        guard machine.growsOnly else { return count }
        shown = max(shown, count)
        return shown
    }

    /// Reports from zero on again, because the upload has restarted.
    func forgetShown() { shown = 0 }

    // MARK: - Parts

    /// The upload in parts; nil for any other.
    var parts: MultipartUpload? { machine as? MultipartUpload }

    /// Changes an upload in parts; returns nil for any other.
    func change<Result>(_ body: (inout MultipartUpload) -> Result) -> Result? {
        guard var parts else { return nil }
        let result = body(&parts)
        machine = parts
        return result
    }

    /// Lets an upload in parts use further connections of its transfer.
    func connect(to transfer: Transfer) {
        if machine is MultipartUpload { connections = UploadConnections(transfer, self) }
    }

    /// Returns the request that sends a part.
    func request(ofPart number: Int, digest: [UInt8]?) -> TransferRequest? {
        parts?.request(ofPart: number, digest: digest, for: original)
    }

    /// The body that is sent.
    var body: BodySpecification { original.body }

    // MARK: - Digests and responses

    /// Takes the digests that the machine has demanded.
    func take(_ digests: [[UInt8]]) { machine.take(digests) }

    /// Whether the current request removes the upload from the server.
    var isRemoval: Bool { machine.isRemoval }

    /// Makes the next request the removal of the upload; false if the server has nothing of it.
    func giveUp() -> Bool {
        isGivenUp = machine.giveUp()
        return isGivenUp
    }

    /// Returns what the upload concludes from the body of a response; nil for a body that is incomplete.
    func judge(body: [UInt8]?, of head: ResponseHead) -> UploadOutcome {
        machine.judge(body: body, of: head, original: original)
    }

    /// Returns what the upload concludes from a response.
    func judge(_ head: ResponseHead) -> ResumableUpload.Outcome { machine.judge(head, original: original) }

    /// Returns the step after an interim response that contradicts an earlier one, or after a response's body.
    ///
    /// - Parameter askedWait: milliseconds of the response's `Retry-After`.
    static func step(after outcome: ResumableUpload.Outcome, askedWait: Int64? = nil) -> NextStep {
        switch outcome {
        case .answer, .next: .uploadStep(restarts: nil)
        case .readBody: .uploadAnswer
        case .restartFromZero(let reason): .uploadStep(restarts: reason)
        case .later(let error): .retry(error, afterMilliseconds: askedWait)
        case .fail(let error): .fail(error)
        }
    }

    /// Records how much of its piece an attempt has sent.
    func moved(handedOut: Int64, arrived: Int64) { machine.moved(handedOut: handedOut, arrived: arrived) }

    /// Returns whether the server has confirmed more bytes than ever since the last call.
    func takeProgress() -> Bool { machine.takeProgress() }

    /// Records that the server did not answer, and returns whether the upload continues without the answer.
    func foundNoAnswer(stalled: Bool) -> Bool { machine.foundNoAnswer(stalled: stalled) }

    /// Returns the upload's URL on the server if it is new or gone since the last call.
    func takeNewLocation() -> UploadLocation?? {
        guard machine.location != toldLocation else { return nil }
        toldLocation = machine.location
        return .some(machine.location)
    }
}

@available(*, unavailable)
extension UploadState: Sendable {}

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
