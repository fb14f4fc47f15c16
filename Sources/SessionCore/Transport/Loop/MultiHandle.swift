import CCurl
import CLinux
import Glibc

/// libcurl's multi handle, its sockets in an epoll set, and its timer.
///
/// Confined to the transfer loop.
final class MultiHandle {
    private static let eventCapacity = 64

    private let raw: UnsafeMutableRawPointer
    private let epoll: Int32
    /// Sockets that libcurl does not watch at the moment: the next transfer nearly always wants them again, so they
    /// stay in the epoll set until an event or until they are closed.
    private var unwatched = DescriptorSet()
    /// Unwatched sockets with an event while a transfer owned them, for example while it was paused: no events are
    /// requested for them until they are wanted again or idle.
    private var muted = DescriptorSet()
    private var idle = IdleConnections()
    private var sockets = SocketTable()
    private var marks = SocketMarks()
    /// Whether a connection has become idle since the sockets were last polled.
    private var hasNewIdle = false
    private var reuse = ConnectionReuse()
    /// Attempts that start once their origin is known to fall silent behind its responses.
    private var postponed: [(attempt: Attempt, start: Int64)] = []
    /// Attempts whose connection may have ended unnoticed, see ``checkAgain(at:)``.
    private var unsureStreams: [Attempt] = []
    private var deadline: Int64?
    private var events = [cl_event](repeating: cl_event(), count: eventCapacity)
    private static let globalResult = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    init(keptConnections: Int) throws(SessionError) {
        guard Self.globalResult == CURLE_OK, let raw = curl_multi_init() else {
            throw SessionError(.internal, EngineErrors.noStart)
        }
        let epoll = cl_epoll_create()
        guard epoll >= 0 else {
            let code = errno
            curl_multi_cleanup(raw)
            throw SessionError(.internal, EngineErrors.noDescriptor, errno: code)
        }
        self.raw = raw
        self.epoll = epoll
        let context = Unmanaged.passUnretained(self).toOpaque()
        try Self.check(cc_multi_set_socket_callback(raw, multiSocketCallback, context))
        try Self.check(cc_multi_set_timer_callback(raw, multiTimerCallback, context))
        try Self.check(cc_multi_set_long(raw, CURLMOPT_MAXCONNECTS, keptConnections))
    }

    /// Changes how many connections are kept between transfers.
    ///
    /// A failure is harmless: more connections are made.
    func keepConnections(_ count: Int) { _ = cc_multi_set_long(raw, CURLMOPT_MAXCONNECTS, count) }

    deinit {
        curl_multi_cleanup(raw)
        close(epoll)
    }

    /// Adds a descriptor of the loop to the ones ``waitAndAct(until:wakeTag:)`` waits for.
    func watch(_ descriptor: Int32, tag: UInt64) throws(SessionError) {
        guard cl_epoll_add(epoll, descriptor, true, false, tag) == 0 else {
            throw SessionError(.internal, EngineErrors.noInbox, errno: errno)
        }
    }

    /// Waits for sockets, libcurl's timer or a deadline, and lets libcurl work on the sockets.
    ///
    /// Returns whether an event with `wakeTag` arrived. The caller calls ``startDue()`` next.
    func waitAndAct(until other: Int64?, wakeTag: UInt64) -> Bool {
        let count = Int(waitForWork(until: other))
        var wasWoken = false
        for index in 0..<max(count, 0) {
            let event = events[index]
            if event.data == wakeTag {
                wasWoken = true
            } else {
                act(on: event)
            }
        }
        return wasWoken
    }

    /// Lets libcurl start what was added, and handles its timer.
    ///
    /// Finished attempts must have been removed before, so that the idle connections are known: they are polled once
    /// more, because libcurl may choose any of them now.
    func startDue() {
        if !postponed.isEmpty { startPostponed() }
        defer { if !unsureStreams.isEmpty { readUnsureStreams() } }
        guard let due = deadline, due <= cl_monotonic_milliseconds() else { return }
        if hasNewIdle { checkIdle() }
        deadline = nil
        socketAction(curl_socket_t(CURL_SOCKET_TIMEOUT), 0)
    }

    /// Handles events on idle connections; the other sockets follow with the next wait.
    private func checkIdle() {
        hasNewIdle = false
        let count = Int(cl_epoll_wait(epoll, &events, Int32(Self.eventCapacity), 0))
        for index in 0..<max(count, 0) {
            let socket = curl_socket_t(truncatingIfNeeded: events[index].data)
            if idle.contains(socket) { act(on: events[index]) }
        }
    }

    /// Waits in the only call that blocks the loop.
    private func waitForWork(until other: Int64?) -> Int32 {
        var timeout: Int32 = -1
        if let next = [deadline, other, postponed.first?.start].compactMap({ $0 }).min() {
            timeout = Int32(clamping: max(0, next - cl_monotonic_milliseconds()))
        }
        return cl_epoll_wait(epoll, &events, Int32(Self.eventCapacity), timeout)
    }

    /// Makes a stream read from its connection although the socket has no event.
    ///
    /// A stream that reads also receives what belongs to the others, including the connection's end. libcurl 7.88 gives
    /// them their bytes later, but the end only when they read again, and the socket has no further event to make them.
    func checkAgain(at attempt: Attempt) { unsureStreams.append(attempt) }

    private func readUnsureStreams() {
        let attempts = unsureStreams.filter(\.pause.isEmpty)
        // Paused streams are read afterwards.
        unsureStreams.removeAll(where: \.pause.isEmpty)
        for attempt in attempts {
            // The head is delivered alone, and one more read finds the end.
            var (reads, idleReads) = (0, 0)
            while reads < Self.readLimit, idleReads < 3, attempt.pause.isEmpty, runAtOnce(attempt) {
                let before = attempt.received
                socketAction(curl_socket_t(CURL_SOCKET_TIMEOUT), 0)
                reads += 1
                if attempt.received == before { idleReads += 1 }
            }
        }
    }

    /// Makes libcurl's timer run an attempt that is not paused, which lets it read and send; returns false without a
    /// connection.
    ///
    /// Pausing and resuming the handle has this effect.
    func runAtOnce(_ attempt: Attempt) -> Bool {
        // Error 43 stands for a transfer that has not begun to connect, and has nothing to read or send.
        [CURLPAUSE_RECV, CURLPAUSE_CONT].allSatisfy { curl_easy_pause(attempt.handle.raw, $0) == CURLE_OK }
    }

    /// The most consecutive reads of a stream, so that a fast one does not block the loop.
    private static let readLimit = 32

    /// Lets libcurl read from one socket without an event.
    func read(from socket: Int32) { socketAction(socket, CURL_CSELECT_IN) }

    private func act(on event: cl_event) {
        let socket = curl_socket_t(truncatingIfNeeded: event.data)
        if unwatched.remove(socket) {
            if let origin = idle.remove(socket) {
                _ = cl_epoll_remove(epoll, socket)
                retire(socket, of: origin)
            } else if cl_epoll_change(epoll, socket, false, false, event.data) == 0 {
                muted.insert(socket)
            }
            return
        }
        if muted.remove(socket) {
            // The connection has ended, which epoll reports regardless of the mask.
            _ = cl_epoll_remove(epoll, socket)
            return
        }
        var mask: Int32 = 0
        if event.readable { mask |= CURL_CSELECT_IN }
        if event.writable { mask |= CURL_CSELECT_OUT }
        if event.failed { mask |= CURL_CSELECT_ERR }
        socketAction(socket, mask)
    }

    /// Prevents libcurl from reusing an idle connection that has received bytes or ended.
    ///
    /// Unrequested bytes would be taken for the response to the next request. The loop sees them before libcurl chooses
    /// a connection for that request: a new attempt starts only after the sockets were polled.
    private func retire(_ socket: Int32, of origin: IdleConnections.Origin) {
        let hasBytes = cl_has_bytes_waiting(socket) == 1
        // Without the shutdown libcurl would consider the connection alive.
        _ = cl_shut_down(socket)
        // On an encrypted connection the bytes may be a close_notify.
        if hasBytes, !origin.isEncrypted { distrust(origin.name) }
    }

    /// Makes every further request to an origin use a new connection.
    func distrust(_ origin: String) { reuse.distrust(origin) }

    /// Whether every request to an origin uses a new connection.
    func distrusts(_ origin: String) -> Bool { reuse.isUnsound(origin) }

    private func socketAction(_ socket: curl_socket_t, _ mask: Int32) {
        var running: Int32 = 0
        // A failure here concerns single transfers, which report it through their results.
        _ = curl_multi_socket_action(raw, socket, mask, &running)
    }

    /// Starts an attempt, at once or when its origin's probation is over.
    func add(_ attempt: Attempt) throws(SessionError) {
        try attempt.handle.tellOfClosedSockets(multiCloseCallback, context: Unmanaged.passUnretained(self).toOpaque())
        if let start = reuse.start(of: attempt.connectionName, now: cl_monotonic_milliseconds()) {
            postponed.append((attempt, start))
        } else {
            try Self.check(curl_multi_add_handle(raw, attempt.handle.raw))
        }
    }

    /// Starts postponed attempts whose probation is over, in order.
    private func startPostponed() {
        let now = cl_monotonic_milliseconds()
        let due = postponed.filter { reuse.start(of: $0.attempt.connectionName, now: now) == nil }
        guard !due.isEmpty else { return }
        postponed.removeAll { entry in due.contains { $0.attempt === entry.attempt } }
        for (attempt, _) in due {
            if reuse.isUnsound(attempt.connectionName) { attempt.handle.isolate() }
            // libcurl gives the same result for every handle, and it accepted the first ones.
            let result = curl_multi_add_handle(raw, attempt.handle.raw)
            precondition(result == CURLM_OK, "adding a handle failed with \(result.rawValue)")
        }
    }

    func remove(_ attempt: Attempt) {
        if !postponed.isEmpty { postponed.removeAll { $0.attempt === attempt } }
        if !unsureStreams.isEmpty { unsureStreams.removeAll { $0 === attempt } }
        let result = curl_multi_remove_handle(raw, attempt.handle.raw)
        precondition(result == CURLM_OK, "removing a handle failed with \(result.rawValue)")
        guard attempt.end.facts.leavesConnection, !attempt.hasStream, let socket = attempt.socket else { return }
        let isFirst = [.branch, .part].contains(attempt.role) || !attempt.owner.hasReusedConnection
        reuse.answered(attempt.connectionName, isFirst: isFirst, now: cl_monotonic_milliseconds())
        let origin = IdleConnections.Origin(name: attempt.connectionName, isEncrypted: attempt.isEncrypted)
        guard idle.leave(socket, of: origin, by: ObjectIdentifier(attempt), port: cl_local_port) else { return }
        hasNewIdle = true
        // The call fails for a socket that was closed, whatever has its number now.
        if muted.remove(socket), cl_epoll_change(epoll, socket, true, false, Self.tag(of: socket)) == 0 {
            unwatched.insert(socket)
        }
    }

    /// Finds the socket of an attempt whose response began before libcurl had its socket watched.
    ///
    /// libcurl requests no events if the head arrives while the attempt starts, as from a nearby server. The connection
    /// was made for the attempt, or belonged to another one that may not have recorded yet that it left.
    func locate(_ attempt: Attempt) {
        let raw = attempt.handle.raw
        func port(_ info: CURLINFO) -> Int32 { Int32(truncatingIfNeeded: cc_get_long(raw, info)) }
        let local = port(CURLINFO_LOCAL_PORT)
        var found =
            attempt.sockets.opened.isEmpty
            ? idle.sockets(from: local) : attempt.sockets.opened.map(\.number).filter { cl_local_port($0) == local }
        if found.count > 1, let address = cc_get_string(raw, CURLINFO_PRIMARY_IP) {
            found = found.filter { cl_leads_to($0, address, port(CURLINFO_PRIMARY_PORT)) }
        }
        guard let own = found.first, found.count == 1 else { return }
        use(own, by: attempt)
        attempt.sockets.watch(sockets.name(of: own))
        attempt.sockets.unwatch(own)
    }

    // MARK: - Sockets

    /// Returns the name of the socket that currently has a number.
    func name(of socket: Int32) -> SocketName { sockets.name(of: socket) }

    /// Returns the bytes a peer had not acknowledged when libcurl closed the socket; nil if unknown.
    func unacknowledged(of name: SocketName) -> Int64? { sockets.unacknowledged(of: name) }

    /// Records a socket that libcurl has made, which may have the number of one it has closed silently.
    func made(_ socket: Int32) -> SocketName {
        forget(socket)
        // libcurl does not request events again for a socket it believes to be watched.
        if let interest = sockets.made(socket) {
            _ = cl_epoll_add(epoll, socket, interest.readable, interest.writable, Self.tag(of: socket))
        }
        return sockets.name(of: socket)
    }

    /// Marks the packets of a socket; returns false when the system refuses.
    func mark(_ socket: Int32, _ marking: PacketMarking) -> Bool { marks.mark(socket, marking) }

    /// Closes a socket on behalf of libcurl.
    fileprivate func closeSocket(_ socket: Int32) -> Int32 {
        forget(socket)
        sockets.closed(socket, unacknowledged: cl_bytes_unacknowledged(socket))
        return close(socket)
    }

    private func forget(_ socket: Int32) {
        marks.forget(socket)
        _ = unwatched.remove(socket)
        _ = muted.remove(socket)
        idle.forget(socket)
    }

    /// Returns the next attempt that libcurl has finished.
    func nextFinished() -> (Attempt, CURLcode)? {
        var easy: UnsafeMutableRawPointer?
        var result = CURLE_OK
        guard cc_multi_next_finished(raw, &easy, &result), let easy, let context = cc_get_private(easy) else {
            return nil
        }
        return (Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue(), result)
    }

    // MARK: - Called by libcurl

    /// Records that an attempt uses a socket that libcurl watches for it.
    fileprivate func use(_ socket: curl_socket_t, by attempt: Attempt) {
        idle.use(socket, by: ObjectIdentifier(attempt))
        // A refused mark was reported when the socket was made; a reused one keeps its marks.
        _ = marks.mark(socket, attempt.marking)
    }

    fileprivate func setTimer(milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : cl_monotonic_milliseconds() + Int64(milliseconds)
    }

    fileprivate func setInterest(_ socket: curl_socket_t, what: Int32, isKnown: Bool) -> Bool {
        if what == CURL_POLL_REMOVE {
            unwatched.insert(socket)
            sockets.watch(socket, nil)
            return true
        }
        let readable = what & CURL_POLL_IN != 0
        let writable = what & CURL_POLL_OUT != 0
        sockets.watch(socket, SocketTable.Interest(readable: readable, writable: writable))
        let tag = Self.tag(of: socket)
        if isKnown, cl_epoll_change(epoll, socket, readable, writable, tag) == 0 { return true }
        // A closed socket has left the epoll set, and another one may have its number: the call then fails.
        let wasKept = unwatched.remove(socket)
        let wasMuted = muted.remove(socket)
        let isBack = (wasKept || wasMuted) && cl_epoll_change(epoll, socket, readable, writable, tag) == 0
        if isBack || cl_epoll_add(epoll, socket, readable, writable, tag) == 0 {
            return curl_multi_assign(raw, socket, UnsafeMutableRawPointer(bitPattern: 1)) == CURLM_OK
        }
        return errno == EEXIST && cl_epoll_change(epoll, socket, readable, writable, tag) == 0
    }

    private static func tag(of socket: curl_socket_t) -> UInt64 { UInt64(UInt32(bitPattern: socket)) }

    private static func check(_ result: CURLMcode) throws(SessionError) {
        guard result == CURLM_OK else {
            throw SessionError(
                .internal, EngineErrors.refused(String(cString: curl_multi_strerror(result))),
                curlCode: Int(result.rawValue))
        }
    }
}

private nonisolated func multiSocketCallback(
    _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _ assigned: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return -1 }
    if let easy, let attempt = cc_get_private(easy) {
        Unmanaged<Attempt>.fromOpaque(attempt)._withUnsafeGuaranteedRef { attempt in
            guard what != CURL_POLL_REMOVE else { return attempt.sockets.unwatch(socket) }
            Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef {
                attempt.sockets.watch($0.name(of: socket))
                $0.use(socket, by: attempt)
            }
        }
    }
    return Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.setInterest(socket, what: what, isKnown: assigned != nil) ? 0 : -1
    }
}

/// Called when libcurl has finished with a connection's socket.
private nonisolated func multiCloseCallback(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    guard let context else { return close(socket) }
    return Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.closeSocket(socket) }
}

private nonisolated func multiTimerCallback(
    _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return -1 }
    Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
}
