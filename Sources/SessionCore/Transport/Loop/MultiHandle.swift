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
    /// leave the epoll set only when something happens on them, or by being closed.
    private var unwatched = DescriptorSet()
    private var deadline: Int64?
    private var events = [cl_event](repeating: cl_event(), count: eventCapacity)
    private static let globalResult = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    init(keptConnections: Int) throws(SessionError) {
        guard Self.globalResult == CURLE_OK, let raw = curl_multi_init() else {
            throw SessionError(.internal, "Libcurl could not be started; memory may be short")
        }
        let epoll = cl_epoll_create()
        guard epoll >= 0 else {
            let code = errno
            curl_multi_cleanup(raw)
            throw SessionError(.internal, "No descriptor is left for the transfer loop", errno: code)
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
            throw SessionError(.internal, "The transfer loop cannot watch its inbox", errno: errno)
        }
    }

    /// Waits for sockets, libcurl's timer or a deadline, and lets libcurl work.
    ///
    /// Returns whether the tag was seen.
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
        if let due = deadline, due <= cl_monotonic_milliseconds() {
            deadline = nil
            socketAction(curl_socket_t(CURL_SOCKET_TIMEOUT), 0)
        }
        return wasWoken
    }

    /// The only place where the loop blocks.
    @inline(never)
    private func waitForWork(until other: Int64?) -> Int32 {
        var timeout: Int32 = -1
        if let next = [deadline, other].compactMap({ $0 }).min() {
            timeout = Int32(clamping: max(0, next - cl_monotonic_milliseconds()))
        }
        return cl_epoll_wait(epoll, &events, Int32(Self.eventCapacity), timeout)
    }

    /// Lets libcurl read from one socket without waiting for it.
    func read(from socket: Int32) { socketAction(socket, CURL_CSELECT_IN) }

    private func act(on event: cl_event) {
        let socket = curl_socket_t(truncatingIfNeeded: event.data)
        if unwatched.remove(socket) {
            _ = cl_epoll_remove(epoll, socket)
            return
        }
        var mask: Int32 = 0
        if event.readable { mask |= CURL_CSELECT_IN }
        if event.writable { mask |= CURL_CSELECT_OUT }
        if event.failed { mask |= CURL_CSELECT_ERR }
        socketAction(socket, mask)
    }

    private func socketAction(_ socket: curl_socket_t, _ mask: Int32) {
        var running: Int32 = 0
        // A failure here concerns single transfers, which report it themselves through their results.
        _ = curl_multi_socket_action(raw, socket, mask, &running)
    }

    func add(_ attempt: Attempt) throws(SessionError) { try Self.check(curl_multi_add_handle(raw, attempt.handle.raw)) }

    func remove(_ attempt: Attempt) {
        let result = curl_multi_remove_handle(raw, attempt.handle.raw)
        precondition(result == CURLM_OK, "removing a handle failed with \(result.rawValue)")
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

    fileprivate func setTimer(milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : cl_monotonic_milliseconds() + Int64(milliseconds)
    }

    fileprivate func setInterest(_ socket: curl_socket_t, what: Int32, isKnown: Bool) -> Bool {
        if what == CURL_POLL_REMOVE {
            unwatched.insert(socket)
            return true
        }
        let readable = what & CURL_POLL_IN != 0
        let writable = what & CURL_POLL_OUT != 0
        let tag = UInt64(UInt32(bitPattern: socket))
        if isKnown, cl_epoll_change(epoll, socket, readable, writable, tag) == 0 { return true }
        // A socket that was closed has left the set by itself, and another one may have its number: then this fails.
        let isBack = unwatched.remove(socket) && cl_epoll_change(epoll, socket, readable, writable, tag) == 0
        if isBack || cl_epoll_add(epoll, socket, readable, writable, tag) == 0 {
            return curl_multi_assign(raw, socket, UnsafeMutableRawPointer(bitPattern: 1)) == CURLM_OK
        }
        return errno == EEXIST && cl_epoll_change(epoll, socket, readable, writable, tag) == 0
    }

    private static func check(_ result: CURLMcode) throws(SessionError) {
        guard result == CURLM_OK else {
            throw SessionError(
                .internal, "Libcurl refused a setting: \(String(cString: curl_multi_strerror(result)))",
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
        Unmanaged<Attempt>.fromOpaque(attempt)._withUnsafeGuaranteedRef {
            if what == CURL_POLL_REMOVE { $0.sockets.unwatch(socket) } else { $0.sockets.watch(socket) }
        }
    }
    return Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.setInterest(socket, what: what, isKnown: assigned != nil) ? 0 : -1
    }
}

private nonisolated func multiTimerCallback(
    _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return -1 }
    Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
}

/// A set of descriptors, with a bit for each: they are small numbers, which the system gives out from below.
struct DescriptorSet {
    private var words: [UInt64] = []

    /// Adds a descriptor; negative numbers are none.
    mutating func insert(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        let (word, bit) = Self.place(descriptor)
        if word >= words.count { words += [UInt64](repeating: 0, count: word + 1 - words.count) }
        words[word] |= bit
    }

    /// Removes a descriptor.
    ///
    /// Returns whether it was there.
    mutating func remove(_ descriptor: Int32) -> Bool {
        guard descriptor >= 0 else { return false }
        let (word, bit) = Self.place(descriptor)
        guard word < words.count, words[word] & bit != 0 else { return false }
        words[word] &= ~bit
        return true
    }

    private static func place(_ descriptor: Int32) -> (word: Int, bit: UInt64) {
        (Int(descriptor) / UInt64.bitWidth, 1 << UInt64(Int(descriptor) % UInt64.bitWidth))
    }
}
