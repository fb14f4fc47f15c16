import CCurl

/// A connection beside the lead of an upload, and the part that it sends.
///
/// Confined to the transfer loop. It may end at any time: its part is sent again.
final class UploadConnection: FurtherWork {
    let number: Int
    /// The origin whose slots its connection takes.
    let host: String
    let redirects = RedirectPolicy.Context()
    /// The running attempt; nil while the digest is computed.
    var attempt: Attempt?
    /// The digest of the part; nil until it is computed.
    fileprivate(set) var digest: [UInt8]?
    /// The head of the response; nil before it arrives.
    fileprivate(set) var head: ResponseHead?

    init(_ number: Int, host: String) { (self.number, self.host) = (number, host) }

    /// Does nothing: the lead follows the redirect when it sends the part.
    func follow(_ next: TransferRequest, from request: TransferRequest) {}
}

@available(*, unavailable)
extension UploadConnection: Sendable {}

extension Attempt {
    /// The upload's connection that the attempt belongs to; nil for any other attempt.
    var part: UploadConnection? { if case .part(let work) = work { work as? UploadConnection } else { nil } }
}

/// The connections of an upload in parts beside its lead: beginning them, judging their responses, ending them.
///
/// Confined to the transfer loop. A part that fails here is left to the lead, which asks, retries and fails for all of
/// them; when the lead has no part left, it takes over the attempt of another connection.
final class UploadConnections {
    /// The most connections of one upload beside its lead.
    static let limit = 3
    /// Milliseconds between two checks.
    private static let interval: Int64 = 1_000
    /// Milliseconds to wait after a failure, doubled by each further one.
    private static let shortestWait: Int64 = 1_000
    private static let longestWait: Int64 = 30_000

    private unowned let owner: Transfer
    private unowned let upload: UploadState
    private var connections: [UploadConnection] = []
    /// The most connections for now: half after a failure, none after a refusal.
    private var allowed = limit
    /// The failures since the last stored part.
    private var failures = 0
    /// The time before which no connection begins, in milliseconds.
    private var notBefore: Int64 = 0
    /// The stored parts when the lead last left a part for later; it does so once between two stored parts.
    private var storedAtPostponement = -1

    init(_ owner: Transfer, _ upload: UploadState) { (self.owner, self.upload) = (owner, upload) }

    private var core: LoopCore { owner.core }

    var attempts: [Attempt] { connections.compactMap(\.attempt) }
    /// The bytes of parts that are not stored yet and that the store has received.
    var arrived: Int64 { attempts.reduce(0) { $0 + owner.bytesArrived(of: $1) } }
    var inFlight: Int64 { attempts.reduce(0) { $0 + core.bytesInFlight(for: $1) } }
    /// Whether one of them has more to send.
    var hasMore: Bool { attempts.contains { $0.source?.length != $0.sent } }

    // MARK: - Beginning

    /// Begins as many connections as are useful and allowed.
    func balance() {
        guard mayBegin else { return }
        while connections.count < room, let number = upload.change({ $0.claim() }) ?? nil {
            let connection = UploadConnection(number, host: owner.host)
            connections.append(connection)
            computeDigest(for: connection)
        }
        watch()
    }

    private var mayBegin: Bool {
        guard owner.machine.state == .connecting, owner.attempt != nil, owner.asking.redirects.hops == 0,
            upload.machine.piece != nil, allowed > 0
        else { return false }
        // Digests of another kind are computed for the lead alone.
        return core.options(of: owner.request.sharedOptions)?.values.bodyDigest == nil
    }

    private var room: Int {
        guard core.now >= notBefore, core.trouble(at: owner.host) == nil else { return 0 }
        return min(allowed, core.roomForBranches(beside: attempts.count, at: owner.host))
    }

    private func watch() {
        let wait = notBefore > core.now ? min(notBefore - core.now, Self.interval) : Self.interval
        core.setDeadline(.segments(owner.id), afterMilliseconds: wait)
    }

    private func computeDigest(for connection: UploadConnection) {
        guard let demand = upload.parts?.demand(ofPart: connection.number) else { return }
        let (body, content, number) = (upload.body, upload.machine.content, connection.number)
        let known = demand.subjects.compactMap { owner.asking.digests(of: content)[$0] }
        if known.count == demand.algorithms.count { return take(known, for: connection) }
        let (control, loop, id) = (owner.control, core.loop, owner.id)
        core.storage.submit {
            // A file that cannot be read is the lead's to report.
            let digests = (try? BodyDigest.of(demand.range, in: body, demand.algorithms) { control.isWanted }) ?? nil
            loop.run { $0.transfer(id)?.upload?.connections?.computed(digests, ofPart: number, demand, content) }
        }
    }

    private func computed(
        _ digests: [[UInt8]]?, ofPart number: Int, _ demand: DigestDemand, _ content: UploadContent
    ) {
        guard content == upload.machine.content else { return }
        let known = owner.asking.digests(of: content)
        for (subject, digest) in zip(demand.subjects, digests ?? []) { known[subject] = digest }
        guard let connection = connections.first(where: { $0.number == number && $0.digest == nil }) else { return }
        guard let digests, owner.machine.state == .connecting, owner.attempt != nil,
            UploadContent(of: upload.body) == content
        else { return drop(connection) }
        take(digests, for: connection)
        balance()
    }

    /// Sends a part, unless an earlier run has sent it.
    private func take(_ digests: [[UInt8]], for connection: UploadConnection) {
        guard let digest = upload.change({ $0.take(digests, ofClaimed: connection.number) }) ?? nil else {
            connections.removeAll { $0 === connection }
            return partIsStored()
        }
        connection.digest = digest
        start(connection, digest)
    }

    private func start(_ connection: UploadConnection, _ digest: [UInt8]) {
        guard let request = upload.request(ofPart: connection.number, digest: digest),
            let range = upload.parts?.range(ofPart: connection.number)
        else { return drop(connection) }
        let target = RequestTarget(
            request, original: owner.description.request, core.options(of: request.sharedOptions)?.values)
        do throws(SessionError) {
            let message = try owner.makeMessage(adding: HeaderFields(), to: target, piece: range)
            let attempt = try owner.begin(.part(connection), message, to: target)
            connection.attempt = attempt
            core.branchBegan(at: connection.host)
            attempt.watches.observe(
                StallWatch(
                    request, core.options(of: request.sharedOptions), seconds: core.configuration.stallTimeout,
                    answerTimeout: core.configuration.options?.answerTimeout, now: core.now))
            owner.enqueueStatus()
        } catch {
            // The lead sends the part, and fails with its own error.
            allowed = 0
            drop(connection)
        }
    }

    /// Gives a part back whose attempt has not begun.
    private func drop(_ connection: UploadConnection) {
        connections.removeAll { $0 === connection }
        _ = upload.change { $0.release(connection.number, hasFailed: false) }
    }

    // MARK: - Responses and ends

    /// Records a head; called inside libcurl's callback.
    func judge(_ head: ResponseHead, of attempt: Attempt) {
        attempt.hear()
        guard let connection = connection(of: attempt) else { return attempt.endAtHead() }
        connection.head = head
        if !(200..<300).contains(head.statusCode) { attempt.endAtHead() }
    }

    /// Decides the next step for an attempt that libcurl has finished.
    func ended(_ attempt: Attempt, result: CURLcode) {
        guard let connection = connection(of: attempt) else { return }
        attempt.ended(Attempt.End.Facts(leavesConnection: result == CURLE_OK && connection.head != nil))
        finish(connection, attempt)
        balance()
        owner.enqueueStatus()
    }

    private func connection(of attempt: Attempt) -> UploadConnection? {
        connections.first { $0.attempt === attempt }
    }

    /// Takes the result of an attempt, and removes it.
    private func finish(_ connection: UploadConnection, _ attempt: Attempt) {
        let (number, head) = (connection.number, connection.head)
        owner.letGo(attempt)
        connections.removeAll { $0 === connection }
        if let head, let digest = connection.digest,
            upload.change({ $0.judge(head, ofClaimed: number, digest: digest) }) == true
        {
            return partIsStored()
        }
        // What came over the connection was not an answer to this request.
        let isInnocent = attempt.verdict == .decided(.useNewConnection)
        _ = upload.change { $0.release(number, hasFailed: !isInnocent) }
        if !isInnocent { hasFailed(head) }
    }

    private func partIsStored() {
        (failures, allowed) = (0, allowed == 0 ? 0 : min(allowed + 1, Self.limit))
        if upload.takeProgress() { owner.partIsStored() }
    }

    /// Allows fewer connections, after a wait; none after a refusal, which the lead will receive too.
    private func hasFailed(_ head: ResponseHead?, afterMilliseconds asked: Int64? = nil) {
        let isRefusal = head.map { !RetryPolicy.isTransient(status: $0.statusCode) } ?? false
        allowed = isRefusal ? 0 : max(allowed / 2, 1)
        let own = min(Self.shortestWait << Int64(min(failures, 5)), Self.longestWait)
        let named = head.flatMap { RetryAfter.milliseconds($0, now: Int64(WallClock.now())) }
        notBefore = core.now + max(own, named ?? asked ?? 0)
        failures += 1
    }

    // MARK: - The lead

    /// Lets the lead take over the part of another connection if it has none of its own; returns false if the lead has
    /// something else to send.
    func leadGoesOn() -> Bool {
        guard upload.parts?.isWaiting == true else { return false }
        for connection in connections where connection.head != nil {
            if let attempt = connection.attempt { finish(connection, attempt) }
        }
        if upload.parts?.isWaiting == true {
            if let connection = connections.first(where: { $0.attempt != nil }), let attempt = connection.attempt {
                handOver(connection, attempt)
                return true
            }
            // The digests of the claimed parts are not computed yet, so the lead takes the first of them.
            endAll()
        }
        owner.turnToUpload()
        owner.perform(end: .again)
        return true
    }

    private func handOver(_ connection: UploadConnection, _ attempt: Attempt) {
        connections.removeAll { $0 === connection }
        _ = upload.change { $0.takeOver(connection.number, digest: connection.digest) }
        core.branchEnded(at: connection.host)
        connection.attempt = nil
        attempt.becomeLead()
        owner.takeOver(attempt)
        balance()
    }

    /// Leaves the lead's part for later because its request has failed; returns false if the lead has to repeat it.
    ///
    /// - Parameter delay: the wait that the store has asked for.
    func replacesLead(afterMilliseconds delay: Int64?) -> Bool {
        guard owner.machine.state == .connecting, let parts = upload.parts, parts.parts.count > storedAtPostponement,
            !attempts.isEmpty, upload.change({ $0.setAside() }) == true
        else { return false }
        storedAtPostponement = parts.parts.count
        hasFailed(nil, afterMilliseconds: delay)
        return true
    }

    // MARK: - Pauses, checks and ends

    func hold() {
        for attempt in attempts {
            attempt.release([.downloadRate, .uploadRate])
            attempt.hold(.user)
            owner.applyPause(attempt)
        }
    }

    func release() {
        for attempt in attempts { owner.unpause(attempt, .user) }
        balance()
    }

    /// Ends connections that stand still, and begins further ones.
    func checkDue() {
        for connection in connections {
            guard let attempt = connection.attempt, var watch = attempt.watches.stall else { continue }
            let turn = attempt.turn(isHolding: owner.machine.isHolding, now: core.now)
            var findings = StallWatch.Findings(moved: attempt.bytesMoved, turn: turn)
            findings.headAwaitedSince = attempt.headAwaitedSince(now: core.now)
            let verdict = watch.judge(findings, now: core.now)
            attempt.watches.observe(watch)
            attempt.pacing.checked(isPaced: attempt.isPaced)
            if verdict == .stalled {
                finish(connection, attempt)
            } else if !attempt.handle.hasSentRequest || attempt.mayAwaitConsent {
                core.runAtOnce(attempt)
            }
        }
        balance()
        if !connections.isEmpty { watch() }
    }

    /// Ends all connections; their parts are sent again.
    ///
    /// Must not be called inside libcurl's callbacks.
    func endAll() {
        for attempt in attempts { owner.letGo(attempt) }
        connections = []
        _ = upload.change { $0.releaseAll() }
    }
}

@available(*, unavailable)
extension UploadConnections: Sendable {}
