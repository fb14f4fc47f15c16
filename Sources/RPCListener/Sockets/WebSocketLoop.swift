import AriaRPC
import CLinux
import Glibc
import SessionSupport

/// The thread of the WebSockets: it sleeps until a client, a notification or a late answer is due.
final class WebSocketLoop {
    private let sockets: WebSockets
    private let epoll: Int32
    private var clients: [UInt64: WebSocketClient] = [:]
    /// What each client's descriptor is watched for.
    private var watched: [UInt64: (read: Bool, write: Bool)] = [:]
    private var lastID: UInt64 = 0
    private static let bell: UInt64 = 0
    private static let eventCount: Int32 = 64

    /// Nil where the process has no descriptor left: every WebSocket then ends.
    init?(_ sockets: WebSockets) {
        self.sockets = sockets
        epoll = cl_epoll_create()
        guard epoll >= 0, cl_epoll_add(epoll, sockets.bell, true, false, Self.bell) == 0 else {
            if epoll >= 0 { Glibc.close(epoll) }
            let opened = sockets.inbox.withLock { inbox in
                defer { inbox.opened = [] }
                inbox.isClosing = true
                return inbox.opened
            }
            for opened in opened { opened.handle.end() }
            return nil
        }
    }

    func run() {
        var events = [cl_event](repeating: cl_event(), count: Int(Self.eventCount))
        while true {
            let count = cl_epoll_wait(epoll, &events, Self.eventCount, timeout)
            precondition(count >= 0, "epoll_wait failed with errno \(errno)")
            let ready = events.prefix(Int(count))
            if ready.contains(where: { $0.data == Self.bell }), !takeInbox() { break }
            for event in ready { clients[event.data].map { serve($0, event) } }
            let now = cl_monotonic_milliseconds()
            for (id, client) in clients {
                if client.hasMore { client.receive() }
                client.sendLate(at: now)
                client.answer(by: sockets.server, at: now)
                if client.wantsWrite { client.send() }
                if client.isOver { end(id) } else { watch(id, client) }
            }
            sockets.stop.check()
        }
        for client in clients.values { client.sayGoodbye() }
        for id in Array(clients.keys) { end(id) }
        Glibc.close(epoll)
    }

    /// Milliseconds until something is due without an event; -1 for never.
    private var timeout: Int32 {
        if clients.values.contains(where: \.hasWork) { return 0 }
        guard let due = clients.values.compactMap(\.late?.due).min() else { return -1 }
        return Int32(clamping: max(due - cl_monotonic_milliseconds(), 0))
    }

    private func serve(_ client: WebSocketClient, _ event: cl_event) {
        if event.failed { client.fail() }
        if event.readable { client.receive() }
        if event.writable { client.send() }
    }

    // MARK: - Inbox

    /// Takes what other threads have left; returns false at the end.
    private func takeInbox() -> Bool {
        let result = cl_eventfd_drain(sockets.bell)
        precondition(result == 0, "an eventfd cannot be read: errno \(errno)")
        let (opened, hasNews, isClosing) = sockets.inbox.withLock { inbox in
            defer { (inbox.opened, inbox.hasNews) = ([], false) }
            return (inbox.opened, inbox.hasNews, inbox.isClosing)
        }
        for opened in opened { add(opened) }
        if hasNews { tell() }
        return !isClosing
    }

    private func add(_ opened: WebSockets.Opened) {
        let client = WebSocketClient(opened)
        lastID += 1
        guard !client.isOver, cl_epoll_add(epoll, client.descriptor, true, false, lastID) == 0 else {
            client.end()
            return forget()
        }
        if clients.isEmpty { sockets.news.begin { [weak sockets] in sockets?.tellNews() } }
        (clients[lastID], watched[lastID]) = (client, (true, false))
    }

    private func tell() {
        let server = sockets.server
        for (notice, gid) in sockets.news.take() {
            let text = notice.text(gid)
            for client in clients.values
            where sockets.isLocal || !server.needsToken || client.isTrusted || client.hasShownToken {
                client.notify(text)
            }
        }
    }

    // MARK: - Clients

    private func watch(_ id: UInt64, _ client: WebSocketClient) {
        let wanted = (read: client.wantsRead, write: client.wantsWrite)
        guard let old = watched[id], old != wanted else { return }
        if cl_epoll_change(epoll, client.descriptor, wanted.read, wanted.write, id) == 0 {
            watched[id] = wanted
        } else {
            end(id)
        }
    }

    private func end(_ id: UInt64) {
        guard let client = clients.removeValue(forKey: id) else { return }
        watched[id] = nil
        let result = cl_epoll_remove(epoll, client.descriptor)
        precondition(result == 0, "a descriptor cannot be removed from epoll: errno \(errno)")
        client.end()
        forget()
    }

    private func forget() {
        sockets.inbox.withLock { $0.count -= 1 }
        if clients.isEmpty { sockets.news.end() }
    }
}

@available(*, unavailable) extension WebSocketLoop: Sendable {}
