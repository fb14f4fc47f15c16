import CCurl

/// The purpose of an attempt other than its transfer's own request.
protocol FurtherWork: AnyObject {
    /// The running attempt; nil once it has ended.
    var attempt: Attempt? { get set }
    /// The redirects it has followed.
    var redirects: RedirectPolicy.Context { get }

    /// Makes its next attempt send another request.
    ///
    /// - Parameter request: the request of the attempt that was redirected.
    func follow(_ next: TransferRequest, from request: TransferRequest)
}

/// A request in libcurl's hands: a handle, the parser of its header lines and the verdict on its response.
///
/// Confined to the transfer loop. libcurl's callbacks arrive here, copy bytes out and record what happened, nothing
/// else. The transfer decides what follows after libcurl has returned.
final class Attempt {
    /// The reasons why nothing may be read or written at the moment.
    struct Pause: OptionSet, Sendable {
        let rawValue: UInt8
        /// The user's pause.
        static let user = Pause(rawValue: 1)
        /// The sink has no room.
        static let sink = Pause(rawValue: 2)
        /// The body source has no bytes yet.
        static let source = Pause(rawValue: 4)
        /// The caller decides about the response.
        static let decision = Pause(rawValue: 8)
        /// The limit on received bytes has no portion left.
        static let downloadRate = Pause(rawValue: 16)
        /// The limit on sent bytes has no portion left.
        static let uploadRate = Pause(rawValue: 32)
    }

    /// The purpose of an attempt.
    enum Work {
        /// The transfer's own request.
        case lead
        /// A range that the lead does not fetch.
        case branch(any FurtherWork)
        /// A block of a mirror's file, for comparison.
        case probe(any FurtherWork)
        /// A part of an upload that the lead does not send.
        case part(any FurtherWork)
        /// Nothing: its result is no longer needed.
        case none

        /// The branch, the probe or the part.
        var further: (any FurtherWork)? {
            switch self {
            case .branch(let work), .probe(let work), .part(let work): work
            case .lead, .none: nil
            }
        }

        var role: AttemptRole {
            switch self {
            case .lead, .none: .lead
            case .branch: .branch
            case .probe: .probe
            case .part: .part
            }
        }
    }

    let handle: EasyHandle
    let transferID: TransferID
    unowned let owner: any AttemptOwner
    private(set) var work: Work
    /// The server and request, where they differ from the transfer's own.
    let requestTarget: RequestTarget?
    private(set) var parser: HeaderParser
    private(set) var verdict: AttemptVerdict = .pending
    private(set) var pause: Pause = []
    /// Whether a rate limit pauses it.
    var isPaced: Bool { !pause.isDisjoint(with: [.downloadRate, .uploadRate]) }
    private(set) var sink: (any BodySink)?
    let source: (any BodySource)?
    /// The sockets libcurl watches for it.
    var sockets = AttemptSocket()
    /// The socket of the attempt's connection, also while paused; nil once closed, whatever has its number then.
    var socket: Int32? {
        guard let current = sockets.current, owner.isCurrent(current) else { return nil }
        return current.number
    }
    /// Whether its connection was made for it rather than reused.
    var hasOwnConnection: Bool { sockets.current.map { sockets.opened.contains($0) } ?? false }
    let plan: Plan
    var watches = Watches()
    var pacing = Pacing()
    var figures = Figures()
    private(set) var end = End.none
    /// An error noticed inside a callback; it explains libcurl's own result.
    private(set) var failure: SessionError?
    /// Set when nothing after the head is needed, not even to keep the connection.
    private var endsAtHead = false
    private static let beginningOfStream = Array("HTTP/2".utf8)
    /// Whether its response is a stream of an HTTP/2 connection.
    private(set) var hasStream = false
    /// Whether a first header line has arrived.
    private var hasBegunToBeAnswered = false
    /// Whether a final head has arrived.
    private(set) var isAnswered = false
    /// Since when its peer has had the full request without answering, in milliseconds; nil until noticed.
    private(set) var answerAwaitedSince: Int64?
    /// Whether its source has reached its end.
    private var hasSourceEnded = false
    /// Bytes not acknowledged when the connection that carried the body ended and another one replaced it; nil until
    /// then.
    private(set) var lostBytes: Int64?
    /// Whether it was broken off behind a head that is the complete response.
    var hasEndedAtHead: Bool { plan.endsAtHead && isAnswered && failure == nil }
    /// Whether libcurl has read all of the request's body.
    var isBodyOut: Bool {
        guard let source else { return true }
        return source.length.map { $0 == sent } ?? hasSourceEnded
    }
    /// Whether the full request was given to the kernel.
    var isRequestOut: Bool {
        guard handle.hasSentRequest, isBodyOut else { return false }
        return source == nil || cc_get_offset(handle.raw, CURLINFO_SIZE_UPLOAD_T) >= sent
    }
    /// The check of the body's own digest; nil for nearly all bodies.
    private var check: DigestCheck?
    /// The body bytes still allowed, where no length was announced.
    private var sizeAllowance = Int64.max
    /// The start by the loop's clock.
    let begunAt: Int64
    private(set) var received: Int64 = 0
    private(set) var sent: Int64 = 0

    init(
        of id: TransferID, owner: any AttemptOwner, at begunAt: Int64, parser: HeaderParser,
        source: (any BodySource)?, requestTarget: RequestTarget? = nil, work: Work = .lead, plan: Plan
    ) throws(SessionError) {
        transferID = id
        self.owner = owner
        self.begunAt = begunAt
        self.parser = parser
        self.source = source
        self.requestTarget = requestTarget
        self.work = work
        self.plan = plan
        handle = try EasyHandle()
    }

    // MARK: - Purpose

    var role: AttemptRole { work.role }

    /// Makes a branch or a part the transfer's lead attempt.
    func becomeLead() { work = .lead }

    /// Drops its purpose and sink, when its result is no longer needed.
    func letGo() { (work, sink) = (.none, nil) }

    // MARK: - End

    /// Keeps libcurl's result until the caller has decided about the response.
    func withhold(_ result: CURLcode) { end = .withheld(result) }

    /// Returns the withheld result; nil if libcurl has not finished the attempt.
    func takeWithheldResult() -> CURLcode? {
        guard case .withheld(let result) = end else { return nil }
        end = .none
        return result
    }

    /// Records the facts about its end.
    func ended(_ facts: End.Facts) { end = .known(facts) }

    // MARK: - Decisions about the response

    /// Records that a final head has arrived.
    func hear() { isAnswered = true }

    /// Records since when its peer has had the full request.
    func awaitAnswer(since time: Int64) { answerAwaitedSince = time }

    func accept(into sink: any BodySink) { (verdict, self.sink) = (.accepted, sink) }

    /// Decides on another step than taking the body, which is dropped.
    func decide(_ next: NextStep) { verdict = .decided(next) }

    /// The same, with a sink that keeps or compares the body.
    func decide(_ next: NextStep, readingInto sink: any BodySink) { (verdict, self.sink) = (.decided(next), sink) }

    /// Redirects the body: through another sink in front, or to a sink that continues it.
    func turnBody(to sink: any BodySink) { self.sink = sink }

    func endAtHead() { endsAtHead = true }

    /// Records an error that overrides libcurl's result.
    func fail(_ error: SessionError) { failure = error }

    /// Compares the body's bytes with a digest of theirs.
    func compare(with digest: Checksum?, _ head: ResponseHead) {
        guard let digest, case .exactly(let count)? = try? BodyLength(head, method: "GET") else { return }
        check = DigestCheck(digest, count: count)
    }

    /// Whether the complete body has another digest than the one announced for it.
    var hasOtherDigest: Bool { check?.error != nil }

    /// Limits the remaining bytes of the body.
    func boundBody(to count: Int64) { sizeAllowance = count }

    func hold(_ reason: Pause) { pause.insert(reason) }

    func release(_ reason: Pause) { pause.subtract(reason) }

    // MARK: - Called by libcurl

    fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        // A proxy's response to CONNECT does not answer the request; libcurl keeps its fields.
        if plan.connection?.asksForProxy == true, !handle.hasSentRequest { return true }
        if !hasBegunToBeAnswered {
            hasBegunToBeAnswered = true
            guard beginAnswer(line) else { return false }
        }
        switch parser.read(line) {
        case .none:
            return parser.interimHeads.isEmpty || owner.hearInterim(of: self)
        case .refused(let sentence):
            failure = SessionError(.badResponse, sentence)
            return false
        case .final(let head):
            owner.judge(head, of: self)
            return failure == nil && !endsAtHead && !plan.endsAtHead
        }
    }

    /// Checks the first line of all responses; returns false where it cannot belong to this one.
    ///
    /// The first bytes on a reused connection may be left over. An HTTP/2 stream has a number, which says what it
    /// answers, and its connection's bytes in transit belong to others too.
    private func beginAnswer(_ line: UnsafeRawBufferPointer) -> Bool {
        hasStream = plan.allowsHTTP2 && isEncrypted && line.starts(with: Self.beginningOfStream)
        if hasStream { return true }
        if socket == nil { owner.locate(self) }
        guard socket != nil, !hasOwnConnection else { return true }
        return owner.isAnswer(of: self)
    }

    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard pause.isDisjoint(with: [.user, .sink, .decision]) else { return cc_write_pause() }
        guard let sink else { return bytes.count }
        guard Int64(bytes.count) <= sizeAllowance else {
            owner.passedSizeLimit(self)
            return 0
        }
        let isPaced = owner.isPaced
        if isPaced, !owner.mayMove(.download, self) { return cc_write_pause() }
        switch sink.receive(bytes) {
        case .received:
            check?.add(bytes)
            received += Int64(bytes.count)
            sizeAllowance -= Int64(bytes.count)
            if isPaced { owner.hasMoved(.download, Int64(bytes.count), self) }
            owner.enqueueStatus()
            return bytes.count
        case .wait:
            pause.insert(.sink)
            // One chunk of a decoded body may fill the sink, which then has to be emptied.
            if plan.decodesBody { owner.enqueueStatus() }
            return cc_write_pause()
        case .enough:
            if verdict == .accepted { decide(.complete) }
            owner.enqueueStatus()
            return 0
        case .differs:
            decide(.restart(reason: ResumeReasons.bytesDiffer))
            return 0
        case .overran:
            decide(.takeBack(reason: ResumeReasons.overran))
            return 0
        case .failed(let error):
            failure = error
            return 0
        }
    }

    fileprivate func readBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !pause.contains(.user) else { return cc_read_pause() }
        guard let source else { return 0 }
        let isPaced = owner.isPaced
        if isPaced, !owner.mayMove(.upload, self) { return cc_read_pause() }
        switch source.read(into: isPaced ? owner.step(of: buffer) : buffer) {
        case .bytes(let count):
            sent += Int64(count)
            if isPaced { owner.hasMoved(.upload, Int64(count), self) }
            owner.enqueueStatus()
            return count
        case .end:
            hasSourceEnded = true
            return 0
        case .wait:
            pause.insert(.source)
            return cc_read_pause()
        case .failed(let error):
            failure = error
            return cc_read_abort()
        }
    }

    /// Rewinds the body when libcurl sends it again, because a reused connection has ended without a byte of a
    /// response.
    fileprivate func seekBody(_ offset: Int64) -> Bool {
        if let error = owner.refusalToRepeat(self) {
            failure = error
            return false
        }
        guard source?.seek(to: offset) == true else { return false }
        (sent, answerAwaitedSince, hasSourceEnded, lostBytes) = (offset, nil, false, nil)
        watches.bodyBegins()
        return true
    }

    /// Records a new socket, which may have the number of the one before: that one's unacknowledged bytes are recorded
    /// first.
    fileprivate func made(_ socket: Int32) {
        if sent > 0, lostBytes == nil { lostBytes = owner.bytesInFlight(for: self) }
        sockets.made(owner.made(socket))
    }
}

// File-scope and nonisolated: a closure made in an isolated context would trap on the loop's thread.

nonisolated func attemptHeaderCallback(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
    return Unmanaged<Attempt>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.receiveHeader(bytes) ? bytes.count : 0 }
}

nonisolated func attemptWriteCallback(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
    return Unmanaged<Attempt>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.receiveBody(bytes) }
}

nonisolated func attemptReadCallback(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let space = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
    return Unmanaged<Attempt>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.readBody(space) }
}

nonisolated func attemptSeekCallback(
    _ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32
) -> Int32 {
    guard let context, origin == 0 else { return CURL_SEEKFUNC_CANTSEEK }
    let done = Unmanaged<Attempt>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.seekBody(Int64(offset)) }
    return done ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
}

/// Called when libcurl has made a socket for a connection.
nonisolated func attemptSocketCallback(
    _ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
    guard let context, cc_prepare_socket(socket) else { return Int32(CURL_SOCKOPT_ERROR) }
    let isMarked = Unmanaged<Attempt>.fromOpaque(context)._withUnsafeGuaranteedRef { attempt in
        attempt.made(socket)
        return attempt.owner.mark(socket, attempt.marking)
    }
    return Int32(isMarked ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR)
}
