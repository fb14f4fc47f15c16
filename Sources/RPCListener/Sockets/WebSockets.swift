import AriaRPC
import CLinux
import CRPCTransport
import Glibc
import SessionSupport

/// The open WebSockets, which have a thread of their own from the first one on.
final class WebSockets: Sendable {
    /// The server's side of a connection that is a WebSocket.
    struct Handle: Sendable {
        fileprivate nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

        init(pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

        /// Ends the connection.
        func end() { crpc_end_upgrade(pointer) }
    }

    /// A connection that has just become a WebSocket.
    struct Opened: Sendable {
        var descriptor: Int32
        /// Bytes that came behind the request.
        var early: [UInt8]
        var handle: Handle
        var isTrusted: Bool
    }

    struct Inbox {
        var opened: [Opened] = []
        /// The WebSockets that are open or about to be.
        var count = 0
        var hasNews = false
        var isClosing = false
        var thread: SystemThread?
    }

    /// The most WebSockets at a time.
    private static let limit = 64

    let server: AriaServer
    let news: any RPCNews
    let stop: StopOnce
    /// Whether notifications need no token: their socket is this machine's, and they contain GIDs alone.
    let isLocal: Bool
    let inbox = Locked(Inbox())
    /// Wakes the thread.
    let bell: Int32

    init(_ server: AriaServer, _ news: any RPCNews, isLocal: Bool, _ stop: StopOnce) throws(ListenerProblem) {
        (self.server, self.news, self.isLocal, self.stop) = (server, news, isLocal, stop)
        bell = cl_eventfd()
        guard bell >= 0 else { throw ListenerProblem(sentence: ListenerErrors.noThread) }
    }

    deinit { Glibc.close(bell) }

    var isEmpty: Bool { inbox.withLock { $0.count == 0 } }

    var hasRoom: Bool { inbox.withLock { $0.count < Self.limit && !$0.isClosing } }

    func open(_ opened: Opened) {
        let (isRefused, isFirst) = inbox.withLock { inbox -> (Bool, Bool) in
            guard inbox.count < Self.limit, !inbox.isClosing else { return (true, false) }
            inbox.opened.append(opened)
            inbox.count += 1
            return (false, inbox.thread == nil)
        }
        // Only the server's thread opens WebSockets, so that no second one is the first.
        if isRefused || isFirst && !startThread() { return opened.handle.end() }
        ring()
    }

    /// Returns whether the thread runs; without one the WebSocket is not open.
    private func startThread() -> Bool {
        do throws(SystemThread.Refusal) {
            let thread = try SystemThread.start(name: "rpc-sockets") { [self] in WebSocketLoop(self)?.run() }
            inbox.withLock { $0.thread = thread }
            return true
        } catch {
            inbox.withLock { inbox in
                inbox.opened = []
                inbox.count = 0
            }
            return false
        }
    }

    func tellNews() {
        inbox.withLock { $0.hasNews = true }
        ring()
    }

    /// Ends every WebSocket.
    func close() {
        let thread = inbox.withLock { inbox in
            inbox.isClosing = true
            return inbox.thread
        }
        guard let thread else { return }
        ring()
        thread.join()
    }

    private func ring() {
        let result = cl_eventfd_signal(bell)
        precondition(result == 0, "an eventfd cannot be written: errno \(errno)")
    }
}
