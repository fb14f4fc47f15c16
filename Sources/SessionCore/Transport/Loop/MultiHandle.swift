import CCurl
import CLinux
import Glibc

/// libcurl's multi handle, its sockets in an epoll set and its timer.
///
/// Confined to the transfer loop.
final class MultiHandle {
    private static let eventCapacity = 64

    private let raw: UnsafeMutableRawPointer
    private let epoll: Int32
    /// Sockets that libcurl has no use for at the moment: nearly all are wanted again by the next transfer, so they
    /// stay in the epoll set until something happens on them, or until they are closed.
    private var unwatched = DescriptorSet()
    /// Those on which something has happened while a transfer had them, as while it was paused: nothing is asked about
    /// them until they are wanted again or idle.
    private var muted = DescriptorSet()
    private var idle = IdleConnections()
    private var sockets = SocketTable()
    /// Whether a connection has become idle since the last look at the sockets.
    private var hasNewIdle = false
    private var reuse = ConnectionReuse()
    /// Attempts that start when it is known whether their origin falls silent behind its answers.
    private var postponed: [(attempt: Attempt, start: Int64)] = []
    /// Attempts whose connection may have ended unseen, see ``checkAgain(at:)``.
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

    /// Changes how many connections stay open between transfers.
    ///
    /// Best effort: with fewer of them more have to be made.
    func keepConnections(_ count: Int) { _ = cc_multi_set_long(raw, CURLMOPT_MAXCONNECTS, count) }

    deinit {
        curl_multi_cleanup(raw)
        close(epoll)
    }

    /// Adds a descriptor of the loop's own to what ``waitAndAct(until:wakeTag:)`` waits for.
    func watch(_ descriptor: Int32, tag: UInt64) throws(SessionError) {
        guard cl_epoll_add(epoll, descriptor, true, false, tag) == 0 else {
            throw SessionError(.internal, EngineErrors.noInbox, errno: errno)
        }
    }

    /// Waits for sockets, libcurl's timer or a deadline, and lets libcurl work on the sockets.
    ///
    /// Returns whether the tag was seen. ``startDue()`` comes next.
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

    /// Lets libcurl start what was added and do what its timer asks for.
    ///
    /// Whoever has ended must have been removed before, so that it is known which connections are idle: they are looked
    /// at once more, because libcurl may choose each of them now.
    func startDue() {
        if !postponed.isEmpty { startPostponed() }
        defer { if !unsureStreams.isEmpty { readUnsureStreams() } }
        guard let due = deadline, due <= cl_monotonic_milliseconds() else { return }
        if hasNewIdle { checkIdle() }
        deadline = nil
        socketAction(curl_socket_t(CURL_SOCKET_TIMEOUT), 0)
    }

    /// Sees what has come on idle connections; the other sockets' turn comes with the next wait.
    private func checkIdle() {
        hasNewIdle = false
        let count = Int(cl_epoll_wait(epoll, &events, Int32(Self.eventCapacity), 0))
        for index in 0..<max(count, 0) {
            let socket = curl_socket_t(truncatingIfNeeded: events[index].data)
            if idle.contains(socket) { act(on: events[index]) }
        }
    }

    /// The only place where the loop blocks.
    private func waitForWork(until other: Int64?) -> Int32 {
        var timeout: Int32 = -1
        if let next = [deadline, other, postponed.first?.start].compactMap({ $0 }).min() {
            timeout = Int32(clamping: max(0, next - cl_monotonic_milliseconds()))
        }
        return cl_epoll_wait(epoll, &events, Int32(Self.eventCapacity), timeout)
    }

    /// Has a stream read from its connection although nothing has come on the socket.
    ///
    /// A stream that reads takes in what has come for the others, the connection's end too. libcurl 7.88 gives them their
    /// bytes later, and the end only when they read once more, for which nothing on the socket calls them any more.
    func checkAgain(at attempt: Attempt) { unsureStreams.append(attempt) }

    private func readUnsureStreams() {
        let attempts = unsureStreams.filter(\.pause.isEmpty)
        // Whoever is paused has its turn afterwards.
        unsureStreams.removeAll(where: \.pause.isEmpty)
        for attempt in attempts {
            // The head comes alone, and one read more finds the end.
            var (reads, idleReads) = (0, 0)
            while reads < Self.readLimit, idleReads < 3, attempt.pause.isEmpty, runAtOnce(attempt) {
                let before = attempt.received
                socketAction(curl_socket_t(CURL_SOCKET_TIMEOUT), 0)
                reads += 1
                if attempt.received == before { idleReads += 1 }
            }
        }
    }

    /// Has the timer run an attempt that is not paused, which lets it read and send; false where it has no connection.
    ///
    /// A pause that begins and ends is what lets libcurl do that.
    func runAtOnce(_ attempt: Attempt) -> Bool {
        // Error 43 stands for a transfer that has not begun to connect, and has nothing to go on with.
        [CURLPAUSE_RECV, CURLPAUSE_CONT].allSatisfy { curl_easy_pause(attempt.handle.raw, $0) == CURLE_OK }
    }

    /// Reads of a stream in a row, so that a fast one does not hold up the loop.
    private static let readLimit = 32

    /// Lets libcurl read from one socket without waiting for it.
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
            // It has ended, which is told in any case.
            _ = cl_epoll_remove(epoll, socket)
            return
        }
        var mask: Int32 = 0
        if event.readable { mask |= CURL_CSELECT_IN }
        if event.writable { mask |= CURL_CSELECT_OUT }
        if event.failed { mask |= CURL_CSELECT_ERR }
        socketAction(socket, mask)
    }

    /// Has libcurl never use an idle connection again on which something has come, or which has ended.
    ///
    /// What comes where nothing was asked for would be taken for the answer to the next request. The loop hears of it
    /// before libcurl chooses a connection for that one: a new attempt starts only after the sockets were looked at.
    private func retire(_ socket: Int32, of origin: IdleConnections.Origin) {
        let hasBytes = cl_has_bytes_waiting(socket) == 1
        // Without it libcurl would find the connection alive.
        _ = cl_shut_down(socket)
        // A secure connection may have come to its end in words.
        if hasBytes, !origin.isEncrypted { distrust(origin.name) }
    }

    /// Has every further request to an origin make a connection of its own.
    func distrust(_ origin: String) { reuse.distrust(origin) }

    /// Whether every request to an origin makes a connection of its own.
    func distrusts(_ origin: String) -> Bool { reuse.isUnsound(origin) }

    private func socketAction(_ socket: curl_socket_t, _ mask: Int32) {
        var running: Int32 = 0
        // A failure here concerns single transfers, which report it themselves through their results.
        _ = curl_multi_socket_action(raw, socket, mask, &running)
    }

    /// Starts an attempt, at once or when its origin is known well enough.
    func add(_ attempt: Attempt) throws(SessionError) {
        try attempt.handle.tellOfClosedSockets(multiCloseCallback, context: Unmanaged.passUnretained(self).toOpaque())
        if let start = reuse.start(of: attempt.connectionName, now: cl_monotonic_milliseconds()) {
            postponed.append((attempt, start))
        } else {
            try Self.check(curl_multi_add_handle(raw, attempt.handle.raw))
        }
    }

    /// Starts what has waited long enough, in order.
    private func startPostponed() {
        let now = cl_monotonic_milliseconds()
        let due = postponed.filter { reuse.start(of: $0.attempt.connectionName, now: now) == nil }
        guard !due.isEmpty else { return }
        postponed.removeAll { entry in due.contains { $0.attempt === entry.attempt } }
        for (attempt, _) in due {
            if reuse.isUnsound(attempt.connectionName) { attempt.handle.isolate() }
            // libcurl says the same of every handle, and did so of the first ones.
            let result = curl_multi_add_handle(raw, attempt.handle.raw)
            precondition(result == CURLM_OK, "adding a handle failed with \(result.rawValue)")
        }
    }

    func remove(_ attempt: Attempt) {
        if !postponed.isEmpty { postponed.removeAll { $0.attempt === attempt } }
        if !unsureStreams.isEmpty { unsureStreams.removeAll { $0 === attempt } }
        let result = curl_multi_remove_handle(raw, attempt.handle.raw)
        precondition(result == CURLM_OK, "removing a handle failed with \(result.rawValue)")
        guard attempt.end.leavesConnection, !attempt.hasStream, let socket = attempt.socket else { return }
        reuse.answered(
            attempt.connectionName, isFirst: attempt.role == .branch || !attempt.owner.hasReusedConnection,
            now: cl_monotonic_milliseconds())
        let origin = IdleConnections.Origin(name: attempt.connectionName, isEncrypted: attempt.isEncrypted)
        guard idle.leave(socket, of: origin, by: ObjectIdentifier(attempt), port: cl_local_port) else { return }
        hasNewIdle = true
        // It fails for a socket that was closed, whatever has its number now.
        if muted.remove(socket), cl_epoll_change(epoll, socket, true, false, Self.tag(of: socket)) == 0 {
            unwatched.insert(socket)
        }
    }

    /// Finds the socket of an attempt that has begun to be answered before libcurl had its socket watched.
    ///
    /// It asks for nothing when the head comes while the attempt starts, which is so where a server is near. The
    /// connection was made for the attempt, or was another's, who may not know yet that it has let go of it.
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
        idle.use(own, by: ObjectIdentifier(attempt))
        attempt.sockets.watch(sockets.name(of: own))
        attempt.sockets.unwatch(own)
    }

    // MARK: - Sockets

    /// The socket that has a number now.
    func name(of socket: Int32) -> SocketName { sockets.name(of: socket) }

    /// Bytes that the peer of a socket had not acknowledged when libcurl closed it; nil where that is not known.
    func unacknowledged(of name: SocketName) -> Int64? { sockets.unacknowledged(of: name) }

    /// libcurl has made a socket, which may have the number of one that it has closed without a word.
    func made(_ socket: Int32) -> SocketName {
        forget(socket)
        // What libcurl believes to be watched it does not ask for again.
        if let interest = sockets.made(socket) {
            _ = cl_epoll_add(epoll, socket, interest.readable, interest.writable, Self.tag(of: socket))
        }
        return sockets.name(of: socket)
    }

    /// Closes a socket for libcurl.
    fileprivate func closeSocket(_ socket: Int32) -> Int32 {
        forget(socket)
        sockets.closed(socket, unacknowledged: cl_bytes_unacknowledged(socket))
        return close(socket)
    }

    private func forget(_ socket: Int32) {
        _ = unwatched.remove(socket)
        _ = muted.remove(socket)
        idle.forget(socket)
    }

    /// The next attempt that libcurl has finished with.
    func nextFinished() -> (Attempt, CURLcode)? {
        var easy: UnsafeMutableRawPointer?
        var result = CURLE_OK
        guard cc_multi_next_finished(raw, &easy, &result), let easy, let context = cc_get_private(easy) else {
            return nil
        }
        return (Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue(), result)
    }

    // MARK: - Called by libcurl

    /// An attempt uses a socket that libcurl watches for it.
    fileprivate func use(_ socket: curl_socket_t, by attempt: Attempt) {
        idle.use(socket, by: ObjectIdentifier(attempt))
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
        // A socket that was closed has left the set by itself, and another one may have its number: then this fails.
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

/// libcurl is done with a connection's socket.
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
