package import AriaRPC
import CLinux
import CRPCTransport
import Glibc
import SessionSupport

/// Why the interface does not listen, as a sentence.
package struct ListenerProblem: Error, Sendable, Equatable {
    package let sentence: String
}

/// Notifications for open WebSockets; they are asked for only while there is one.
package protocol RPCNews: AnyObject, Sendable {
    /// Begins to collect; `wake` is called on any thread when some wait, and must not block.
    func begin(wake: @escaping @Sendable () -> Void)
    /// Removes and returns what waits.
    func take() -> [(notice: AriaNotice, gid: String)]
    func end()
}

/// Serves aria2's interface over HTTP and WebSockets.
///
/// libmicrohttpd has one thread for all connections, and WebSockets have another one, from the first of them on. Both
/// block while nothing happens. Neither library is loaded before a listener is made.
package final class RPCListener: Sendable {
    private let exchange: HTTPExchange
    private let sockets: WebSockets
    private let socket: ListeningSocket
    private let certificate: String?
    /// Nil before the start.
    private let server = Locked<ServerHandle?>(nil)
    private let address: RPCAddress
    /// The address with the port that was given.
    package let boundAddress: RPCAddress

    /// The most connections at a time, WebSockets among them.
    static let connectionLimit: UInt32 = 256
    /// The most connections of another machine: one that sends its requests byte by byte leaves room for others.
    static let addressLimit: UInt32 = 64
    /// Seconds after which a connection without a request ends, as in aria2.
    private static let idleSeconds: UInt32 = 30

    /// Takes the address; clients that connect wait for ``start()``.
    ///
    /// - Parameters:
    ///   - certificate: a certificate and its key in PEM; nil for none.
    ///   - onStop: called once on any thread after a client has stopped the service and has its answer.
    package init(
        _ http: AriaHTTP, at address: RPCAddress, certificate: String? = nil, news: any RPCNews,
        onStop: @escaping @Sendable () -> Void
    ) throws(ListenerProblem) {
        if let missing = crpc_load() {
            throw ListenerProblem(sentence: ListenerErrors.missing(String(cString: missing)))
        }
        let stop = StopOnce(http.server, onStop)
        sockets = try WebSockets(http.server, news, isLocal: address.isLocal, stop)
        exchange = HTTPExchange(http, sockets, stop)
        socket = try ListeningSocket(address)
        (self.address, self.certificate) = (address, certificate)
        boundAddress = socket.address
    }

    /// Begins to answer; called once.
    package func start() throws(ListenerProblem) {
        let perAddress = address.isLocal ? 0 : Self.addressLimit
        let started = exchange.start(
            socket, Self.connectionLimit, perAddress: perAddress, Self.idleSeconds, certificate)
        guard let started else {
            throw ListenerProblem(sentence: ListenerErrors.noServer)
        }
        server.withLock { $0 = started }
    }

    /// Whether a WebSocket is open.
    package var hasSockets: Bool { !sockets.isEmpty }

    /// Ends every connection.
    package func close() {
        exchange.release()
        sockets.close()
        if let server = server.withLock({ $0 }) { server.stop() } else { socket.close() }
        // A name that is left is no harm: the next listener removes it.
        if case .unix(let path) = address { unlink(path) }
    }
}

/// Tells once that a client has stopped the service.
final class StopOnce: Sendable {
    private let server: AriaServer
    private let wasTold = Locked(false)
    private let body: @Sendable () -> Void

    init(_ server: AriaServer, _ body: @escaping @Sendable () -> Void) {
        (self.server, self.body) = (server, body)
    }

    /// Called when an answer has been sent.
    func check() {
        guard server.isStopping, wasTold.withLock({ $0.exchanged(with: true) }) == false else { return }
        body()
    }
}

extension Bool {
    fileprivate mutating func exchanged(with new: Bool) -> Bool {
        defer { self = new }
        return self
    }
}
