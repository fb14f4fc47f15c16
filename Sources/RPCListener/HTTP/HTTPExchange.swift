import AriaRPC
import CRPCTransport
import Dispatch
import Glibc
import SessionSupport

/// The server of a listener; safe from any thread.
struct ServerHandle: Sendable {
    fileprivate nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    func stop() { crpc_stop(pointer) }
}

/// Answers requests on the server's thread.
///
/// It lives as long as the server, which calls it without a reference of its own.
final class HTTPExchange: Sendable {
    /// Milliseconds that an answer waits after a wrong token: guesses take time.
    static let patience = 1_000
    /// The most answers that wait: beyond them a connection gets none.
    private static let lateLimit = 64

    private let http: AriaHTTP
    private let sockets: WebSockets
    private let stop: StopOnce
    private struct Late {
        var connections: Set<Connection> = []
        /// The connections about to be suspended.
        var beginning = 0
        var isClosing = false
    }

    /// The suspended connections; only the queue resumes one.
    private let late = Monitor(Late())
    private let queue = DispatchQueue(label: "netdash.rpc-late")

    init(_ http: AriaHTTP, _ sockets: WebSockets, _ stop: StopOnce) {
        (self.http, self.sockets, self.stop) = (http, sockets, stop)
    }

    func start(
        _ socket: ListeningSocket, _ connections: UInt32, perAddress: UInt32, _ seconds: UInt32, _ certificate: String?
    ) -> ServerHandle? {
        var configuration = crpc_configuration()
        configuration.listener = socket.descriptor
        (configuration.connection_limit, configuration.address_limit) = (connections, perAddress)
        configuration.idle_seconds = seconds
        configuration.context = Unmanaged.passUnretained(self).toOpaque()
        (configuration.on_request, configuration.on_completed) = (onRequest, onCompleted)
        let pointer =
            certificate?.withCString { text in
                configuration.certificate = text
                return crpc_start(&configuration)
            } ?? (certificate == nil ? crpc_start(&configuration) : nil)
        return pointer.map { ServerHandle(pointer: $0) }
    }

    /// Lets every suspended connection go on, before the server stops.
    func release() {
        late.change { $0.isClosing = true }
        let connections = late.wait { late -> Set<Connection>? in
            guard late.beginning == 0 else { return nil }
            defer { late.connections = [] }
            return late.connections
        }
        queue.sync {
            for connection in connections { crpc_resume(connection.pointer) }
        }
    }

    // MARK: - Requests

    /// A request while it arrives; only the server's thread uses it.
    fileprivate final class Arrival {
        var request: RPCRequest
        /// The answer that waits, or has been given.
        var reply: RPCReply?

        init(_ request: RPCRequest) { self.request = request }
    }

    /// Takes the head of a request; returns false to end the connection.
    fileprivate func begin(_ arrival: Arrival, _ connection: Connection) -> Bool {
        let length = arrival.request.fields["content-length"].flatMap { ByteText.decimal($0) } ?? 0
        guard length > AriaHTTP.bodyLimit else { return true }
        arrival.reply = .tooLarge
        return send(.tooLarge, connection)
    }

    /// Takes a piece of the body.
    fileprivate func take(_ piece: UnsafeRawBufferPointer, _ arrival: Arrival) -> Bool {
        guard arrival.request.body.count + piece.count <= AriaHTTP.bodyLimit else { return false }
        arrival.request.body.append(contentsOf: piece)
        return true
    }

    /// Answers a complete request, which comes again after it has waited.
    fileprivate func finish(_ arrival: Arrival, _ connection: Connection) -> Bool {
        if let reply = arrival.reply { return send(reply, connection) }
        let reply = http.reply(to: arrival.request).compressed
        arrival.request.body = []
        arrival.reply = reply
        guard reply.isLate else { return send(reply, connection) }
        return delay(connection)
    }

    private func delay(_ connection: Connection) -> Bool {
        let mayWait = late.withLock { late in
            guard late.connections.count < Self.lateLimit, !late.isClosing else { return false }
            late.beginning += 1
            return true
        }
        guard mayWait else { return false }
        crpc_suspend(connection.pointer)
        late.change { late in
            late.beginning -= 1
            late.connections.insert(connection)
        }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.patience)) { [self] in
            guard late.withLock({ $0.connections.remove(connection) }) != nil else { return }
            crpc_resume(connection.pointer)
        }
        return true
    }

    fileprivate func complete() { stop.check() }

    // MARK: - Responses

    private func send(_ reply: RPCReply, _ connection: Connection) -> Bool {
        var fields = reply.fields
        if let upgrade = reply.upgrade {
            guard sockets.hasRoom else { return send(.busy, connection) }
            fields += [.upgrade, .accept(upgrade.accept)]
            let opening = Unmanaged.passRetained(Opening(sockets, isTrusted: upgrade.isTrusted))
            let isDone = fields.withCFields { pointer, count in
                crpc_upgrade(connection.pointer, pointer, count, opening.toOpaque(), onUpgraded)
            }
            if !isDone { opening.release() }
            return isDone
        }
        if reply.closes { fields.append(.close) }
        return fields.withCFields { pointer, count in
            reply.body.withUnsafeBytes { body in
                crpc_reply(connection.pointer, UInt32(reply.status), pointer, count, body.baseAddress, body.count)
            }
        }
    }

    /// A WebSocket that opens as soon as its response has been sent.
    fileprivate final class Opening: Sendable {
        let sockets: WebSockets
        let isTrusted: Bool

        init(_ sockets: WebSockets, isTrusted: Bool) { (self.sockets, self.isTrusted) = (sockets, isTrusted) }
    }
}

extension RPCReply {
    /// The reply with the body as it is sent.
    fileprivate var compressed: RPCReply {
        guard mayBeCompressed else { return self }
        var reply = self
        reply.body = body.withUnsafeBytes { body in
            // It has to be shorter than the body.
            [UInt8](unsafeUninitializedCapacity: body.count) { result, count in
                count = crpc_gzip(body.baseAddress, body.count, result.baseAddress, body.count)
            }
        }
        guard !reply.body.isEmpty else { return self }
        reply.fields.append(.gzip)
        return reply
    }
}

/// A connection of the server, which is valid until its request is over.
struct Connection: Sendable, Hashable {
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer
}

extension [RPCReply.Field] {
    /// The fields as C reads them during the call.
    fileprivate func withCFields<Result>(_ body: (UnsafePointer<crpc_field>?, Int) -> Result) -> Result {
        let texts = map { (strdup($0.name), strdup($0.value)) }
        defer {
            for (name, value) in texts {
                free(name)
                free(value)
            }
        }
        let fields = texts.map { crpc_field(name: $0.0, value: $0.1) }
        return fields.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
}

// MARK: - Calls of the server

private nonisolated func onRequest(
    _ context: UnsafeMutableRawPointer?, _ connection: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Bool {
    guard let context, let connection, let path, let method, let size, let state else { return false }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    guard let opaque = state.pointee else {
        let request = RPCRequest(
            method: String(cString: method), path: String(cString: path),
            query: members(connection, crpc_read_query) { $0 },
            fields: members(connection, crpc_read_fields) { ByteText.lowercased($0[...]) })
        let arrival = HTTPExchange.Arrival(request)
        state.pointee = Unmanaged.passRetained(arrival).toOpaque()
        return exchange.begin(arrival, Connection(pointer: connection))
    }
    let arrival = Unmanaged<HTTPExchange.Arrival>.fromOpaque(opaque).takeUnretainedValue()
    guard size.pointee > 0 else { return exchange.finish(arrival, Connection(pointer: connection)) }
    let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
    size.pointee = 0
    return exchange.take(piece, arrival)
}

private nonisolated func onCompleted(_ context: UnsafeMutableRawPointer?, _ state: UnsafeMutableRawPointer?) {
    guard let context else { return }
    if let state { Unmanaged<HTTPExchange.Arrival>.fromOpaque(state).release() }
    Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue().complete()
}

private nonisolated func onUpgraded(
    _ context: UnsafeMutableRawPointer?, _ descriptor: Int32, _ early: UnsafePointer<CChar>?, _ size: Int,
    _ upgraded: UnsafeMutableRawPointer?
) {
    guard let context, let upgraded else { return }
    let opening = Unmanaged<HTTPExchange.Opening>.fromOpaque(context).takeRetainedValue()
    let bytes = Array(UnsafeRawBufferPointer(start: early, count: size))
    opening.sockets.open(
        WebSockets.Opened(
            descriptor: descriptor, early: bytes, handle: WebSockets.Handle(pointer: upgraded),
            isTrusted: opening.isTrusted))
}

/// Collects pairs of a request; the first one of a name counts.
private final class Pairs {
    var pairs: [String: String] = [:]
    let name: (String) -> String

    init(_ name: @escaping (String) -> String) { self.name = name }
}

private nonisolated func members(
    _ connection: UnsafeMutableRawPointer,
    _ read: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, crpc_on_field?) -> Void,
    _ name: @escaping (String) -> String
) -> [String: String] {
    let pairs = Pairs(name)
    read(connection, Unmanaged.passUnretained(pairs).toOpaque(), onField)
    return pairs.pairs
}

private nonisolated func onField(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) {
    guard let context, let name, let value else { return }
    let pairs = Unmanaged<Pairs>.fromOpaque(context).takeUnretainedValue()
    let key = pairs.name(String(cString: name))
    if pairs.pairs[key] == nil { pairs.pairs[key] = String(cString: value) }
}
