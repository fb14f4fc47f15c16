import SessionSupport
import TransferService

/// A client's connection to a service: requests wait for their replies, and updates are handed on.
///
/// Safe from any thread.
final class ServiceLink: Sendable {
    private struct State {
        var stream: FrameStream?
        var count: UInt64 = 0
        /// The replies that have come, nil while one is awaited.
        var replies: [UInt64: WireReply?] = [:]
    }

    private let state = Monitor(State())

    /// Connects and introduces the program; nil where no service listens.
    static func connect(to socket: ServiceSocket, program: String) throws(LinkFailure) -> (ServiceLink, Welcome)? {
        do {
            guard let descriptor = try socket.connect() else { return nil }
            let stream = FrameStream(descriptor)
            try stream.write(ClientMessage.hello(Hello(version: Wire.version, program: program)))
            switch try stream.read(ServerMessage.self) {
            case .welcome(let welcome): return (ServiceLink(stream), welcome)
            case .refused(let sentence): throw LinkFailure(sentence)
            case .reply, .update: throw LinkFailure(WireErrors.malformed)
            }
        } catch let failure as LinkFailure {
            throw failure
        } catch let problem as ServiceSocket.Problem {
            throw LinkFailure(problem.sentence)
        } catch FrameStream.Failure.ended {
            throw LinkFailure(WireErrors.lost)
        } catch {
            throw LinkFailure(WireErrors.malformed)
        }
    }

    private init(_ stream: FrameStream) { state.change { $0.stream = stream } }

    /// Reads messages until the connection ends; called once, on its own thread.
    ///
    /// Returns the service's reason, nil where it gave none.
    func run(onUpdate: (TransferUpdate) -> Void) -> String? {
        guard let stream = state.withLock(\.stream) else { return nil }
        var reason: String?
        while reason == nil, let message = try? stream.read(ServerMessage.self) {
            switch message {
            case .reply(let number, let reply):
                state.change { if $0.replies[number] != nil { $0.replies[number] = .some(reply) } }
            case .update(let update): onUpdate(update)
            case .refused(let sentence): reason = sentence
            case .welcome: reason = WireErrors.malformed
            }
        }
        end()
        return reason
    }

    /// Ends the connection: waiting requests return nil.
    func end() {
        let stream = state.change { state in
            defer { state.stream = nil }
            return state.stream
        }
        stream?.shutDown()
    }

    /// Sends a request and waits for its reply; nil when the connection has ended.
    func request(_ request: WireRequest) -> WireReply? {
        let turn = state.withLock { state -> (FrameStream, UInt64)? in
            guard let stream = state.stream else { return nil }
            state.count += 1
            state.replies[state.count] = .some(nil)
            return (stream, state.count)
        }
        guard let (stream, number) = turn else { return nil }
        do {
            try stream.write(ClientMessage.request(number, request))
        } catch {
            // A frame that is too long was not sent; after any other failure the connection is of no use.
            if (error as? FrameStream.Failure) != .ended { state.withLock { $0.replies[number] = nil } } else { end() }
            return nil
        }
        return state.wait { state -> WireReply?? in
            if let reply = state.replies[number] ?? nil {
                state.replies[number] = nil
                return reply
            }
            return state.stream == nil ? .some(nil) : nil
        }
    }

    /// Sends a message without a reply.
    func send(_ message: ClientMessage) {
        // The reading thread notices a lost connection.
        try? state.withLock(\.stream)?.write(message)
    }
}

/// Why a service cannot be used: one sentence.
package struct LinkFailure: Error, Equatable {
    package let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

extension ServiceSocket.Problem {
    package var sentence: String {
        switch self {
        case .unsafeFolder(let path): WireErrors.unsafeFolder(path)
        case .unusable(let path, let number): WireErrors.unusable(path, SystemWords.text(number))
        case .inUse: WireErrors.inUse
        case .foreign: WireErrors.foreign
        }
    }
}
