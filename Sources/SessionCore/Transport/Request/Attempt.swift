import CCurl

/// What an attempt is made for that is not its transfer's own request.
protocol FurtherWork: AnyObject {
    /// The request on the wire; nil once it has ended.
    var attempt: Attempt? { get set }
}

/// One request on the wire: a handle, the parser of its header lines and the verdict on its answer.
///
/// Confined to the transfer loop. libcurl's callbacks arrive here; they copy bytes out and record what happened,
/// nothing else. What follows from it is decided by the transfer after libcurl has returned.
final class Attempt {
    /// Why nothing may be read or written at the moment.
    struct Pause: OptionSet, Sendable {
        let rawValue: UInt8
        /// The user's pause.
        static let user = Pause(rawValue: 1)
        /// The sink has no room.
        static let sink = Pause(rawValue: 2)
        /// The body source has nothing at hand.
        static let source = Pause(rawValue: 4)
        /// The caller decides about the response.
        static let decision = Pause(rawValue: 8)
        /// A limit on what is received has nothing to give.
        static let downloadRate = Pause(rawValue: 16)
        /// A limit on what is sent has nothing to give.
        static let uploadRate = Pause(rawValue: 32)
    }

    /// What it was made for.
    enum Work {
        /// The transfer's own request.
        case lead
        /// A range beside the lead's.
        case branch(any FurtherWork)
        /// A block by which a mirror is compared.
        case probe(any FurtherWork)
        /// Nothing of it is wanted any more.
        case none
    }

    /// What was settled before it began.
    struct Plan {
        /// What the options say of its connection; nil for the ordinary one.
        var connection: ConnectionSettings?
        /// Whether the answer was asked for in codings, which are undone.
        var decodesBody = false
        /// Whether its connection may be shared with other transfers.
        var allowsHTTP2 = false
        /// Whether the server was asked, by a field of ours, before the body is sent.
        var expectsContinue = false
        /// What judges the server's certificate, and what it found.
        var trust: TrustReview?
    }

    /// What looks at it while it runs.
    struct Watches {
        /// The size of its connection's receive buffer, once it was paused or has run for a while.
        var window: ReceiveWindow?
        /// When it has to be given up because nothing moves.
        var stall: StallWatch?
        /// Looks at how much comes beside the body.
        var framing = FramingWatch()
        /// Listens for the end of a body that has no length, over a secure connection.
        var closing: Closing?
    }

    /// What limits on how fast it goes have done to it.
    struct Pacing {
        /// Whether one has held it back since the last look whether anything moves.
        var hasHeld = false
        /// The latest portion of a limit that it has used up, counted over all attempts.
        var latestPortion = 0
    }

    /// Which of its figures are known.
    struct Figures {
        /// Whether it has begun or been answered since they were collected.
        var areNew = false
        /// Whether the addresses of its connection are in the metrics.
        var haveEndpoints = false
    }

    /// What is known of its end.
    struct End {
        /// Whether its connection stays open for another one.
        var leavesConnection = false
        /// Whether its peer has taken a whole body.
        var hasGivenAll = false
        /// Whether the body has ended before its coding did.
        var isCutInCoding = false
        /// libcurl's result, kept back until the caller has decided about its response.
        var heldBack: CURLcode?
    }

    let handle: EasyHandle
    let transferID: TransferID
    unowned let owner: any AttemptOwner
    /// What it was made for.
    private(set) var work: Work
    /// Whom it asks, where that is not whom the transfer's own request goes to.
    let requestTarget: RequestTarget?
    private(set) var parser: HeaderParser
    private(set) var verdict: AttemptVerdict = .pending
    private(set) var pause: Pause = []
    /// Whether a limit on how fast it goes holds it back.
    var isPaced: Bool { !pause.isDisjoint(with: [.downloadRate, .uploadRate]) }
    /// Where the body goes that it brings.
    private(set) var sink: (any BodySink)?
    let source: (any BodySource)?
    /// The sockets libcurl watches for it.
    var sockets = AttemptSocket()
    /// The socket of the attempt's connection, also while it is paused; nil once it is closed, whatever has its number then.
    var socket: Int32? {
        guard let current = sockets.current, owner.isCurrent(current) else { return nil }
        return current.number
    }
    /// Whether its connection was made for it, and not for another one before.
    var hasOwnConnection: Bool { sockets.current.map { sockets.opened.contains($0) } ?? false }
    var plan = Plan()
    var watches = Watches()
    var pacing = Pacing()
    var figures = Figures()
    var end = End()
    /// An error noticed inside a callback; it explains libcurl's own result.
    private(set) var failure: SessionError?
    /// Set when nothing after the head is wanted, not even to keep the connection.
    private var endsAtHead = false
    private static let beginningOfStream = Array("HTTP/2".utf8)
    /// Whether its answer is a stream of a connection that carries several at once.
    private(set) var hasStream = false
    /// Whether anything has come.
    private var hasBegunToBeAnswered = false
    /// Whether a final head has come.
    private(set) var isAnswered = false
    /// Since when its peer has had the whole request and owes an answer, in milliseconds; nil until that was seen.
    private(set) var answerAwaitedSince: Int64?
    /// Whether its source has said that there is no more.
    private var hasSourceEnded = false
    /// Bytes that had not arrived when a connection ended on which body was sent, and another was made in its place; nil
    /// until then.
    private(set) var lostBytes: Int64?
    /// Whether libcurl has had all of the request's body.
    var isBodyOut: Bool {
        guard let source else { return true }
        return source.length.map { $0 == sent } ?? hasSourceEnded
    }
    /// Whether the whole request was given to the kernel.
    var isRequestOut: Bool {
        guard handle.hasSentRequest, isBodyOut else { return false }
        return source == nil || cc_get_offset(handle.raw, CURLINFO_SIZE_UPLOAD_T) >= sent
    }
    /// Bytes of body that may still come where nobody has announced how many there are.
    private var sizeAllowance = Int64.max
    /// The moment of the loop's clock at which it began.
    let begunAt: Int64
    private(set) var received: Int64 = 0
    private(set) var sent: Int64 = 0

    init(
        of id: TransferID, owner: any AttemptOwner, at begunAt: Int64, parser: HeaderParser,
        source: (any BodySource)?, requestTarget: RequestTarget? = nil, work: Work = .lead
    ) throws(SessionError) {
        transferID = id
        self.owner = owner
        self.begunAt = begunAt
        self.parser = parser
        self.source = source
        self.requestTarget = requestTarget
        self.work = work
        handle = try EasyHandle()
    }

    // MARK: - Its work

    var role: AttemptRole {
        switch work {
        case .lead, .none: .lead
        case .branch: .branch
        case .probe: .probe
        }
    }

    /// A branch becomes the transfer's own attempt.
    func becomeLead() { work = .lead }

    /// Nothing of it is wanted any more.
    func letGo() { (work, sink) = (.none, nil) }

    // MARK: - What is decided about its answer

    /// A final head has come.
    func hear() { isAnswered = true }

    /// Its peer has had the whole request since a moment.
    func awaitAnswer(since time: Int64) { answerAwaitedSince = time }

    /// The body is wanted.
    func accept(into sink: any BodySink) { (verdict, self.sink) = (.accepted, sink) }

    /// The body is not what follows from; without a sink it is dropped.
    func decide(_ next: NextStep) { verdict = .decided(next) }

    /// The same for a body that is kept, or compared.
    func decide(_ next: NextStep, readingInto sink: any BodySink) { (verdict, self.sink) = (.decided(next), sink) }

    /// The body goes elsewhere from now on: through another sink, or to the one that goes on with it.
    func turnBody(to sink: any BodySink) { self.sink = sink }

    /// Nothing after the head is read.
    func endAtHead() { endsAtHead = true }

    /// It has failed, whatever libcurl will say.
    func fail(_ error: SessionError) { failure = error }

    /// The body may have so many bytes more.
    func boundBody(to count: Int64) { sizeAllowance = count }

    /// Holds it back for a reason.
    func hold(_ reason: Pause) { pause.insert(reason) }

    /// A reason to hold it back is gone.
    func release(_ reason: Pause) { pause.subtract(reason) }

    // MARK: - Called by libcurl

    fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        // A proxy's answer to the wish for a tunnel is none to the request; libcurl keeps its fields.
        if plan.connection?.asksForProxy == true, !handle.hasSentRequest { return true }
        if !hasBegunToBeAnswered {
            hasBegunToBeAnswered = true
            guard beginAnswer(line) else { return false }
        }
        switch parser.read(line) {
        case .none:
            return owner.hearInterim(of: self)
        case .refused(let sentence):
            failure = SessionError(.badResponse, sentence)
            return false
        case .final(let head):
            owner.judge(head, of: self)
            return failure == nil && !endsAtHead
        }
    }

    /// Called for the first line of all answers; false where it cannot belong to one.
    ///
    /// What comes first on a connection that was used before may be left over. A stream of HTTP/2 has a number, which
    /// says what it answers, and what is under way on its connection belongs to others too.
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
            received += Int64(bytes.count)
            sizeAllowance -= Int64(bytes.count)
            if isPaced { owner.hasMoved(.download, Int64(bytes.count), self) }
            owner.enqueueStatus()
            return bytes.count
        case .wait:
            pause.insert(.sink)
            // One chunk of a decoded body may fill the sink by itself, and somebody has to empty it.
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

    /// libcurl sends the body once more, because the connection that was kept from an earlier request has ended without a
    /// byte of an answer.
    fileprivate func seekBody(_ offset: Int64) -> Bool {
        if let error = owner.refusalToRepeat(self) {
            failure = error
            return false
        }
        guard source?.seek(to: offset) == true else { return false }
        (sent, answerAwaitedSince, hasSourceEnded, lostBytes) = (offset, nil, false, nil)
        watches.stall?.bodyBegins()
        return true
    }

    /// libcurl has made a socket, which may have the number of the one before: what that one had not got rid of is
    /// recorded first.
    fileprivate func made(_ socket: Int32) {
        if sent > 0, lostBytes == nil { lostBytes = owner.bytesInFlight(for: self) }
        sockets.made(owner.made(socket))
    }
}

// File-scope and nonisolated: a closure made in an isolated place would trap on the loop's thread.

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

/// libcurl has made a socket for a connection.
nonisolated func attemptSocketCallback(
    _ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
    guard let context, cc_prepare_socket(socket) else { return Int32(CURL_SOCKOPT_ERROR) }
    Unmanaged<Attempt>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.made(socket) }
    return Int32(CURL_SOCKOPT_OK)
}
