import SessionSupport
import TransferService

/// A client's connection to a service: requests wait for their replies, and updates are handed on.
///
/// Safe from any thread.
final class ServiceLink: Sendable {
    private enum Awaited {
        case reply
        /// The reply has come, and its caller will take it.
        case came(WireReply)
        case call(@Sendable (WireReply?) -> Void)
    }

    private struct State {
        var stream: FrameStream?
        var count: UInt64 = 0
        var awaited: [UInt64: Awaited] = [:]

        /// The reply to a request, where it has come.
        func reply(to number: UInt64) -> WireReply? {
            if case .came(let reply)? = awaited[number] { reply } else { nil }
        }

        /// Stores a reply, or returns the call that waits for it.
        mutating func receive(_ reply: WireReply, to number: UInt64) -> (@Sendable (WireReply?) -> Void)? {
            switch awaited[number] {
            case nil, .came: return nil
            case .reply: awaited[number] = .came(reply)
            case .call(let body):
                awaited[number] = nil
                return body
            }
            return nil
        }
        /// Why the connection has ended, where this side knows.
        var problem: String?
        /// What the service said when another client ended it: whether the next connection would start it again.
        var startsOnConnection: Bool?
        /// What the service said it could not save when it ended.
        var unsaved: SafeText?
        var isRefused = false
        /// Whether the user has been told that a request waits for a service that says nothing.
        var isSilent = false
    }

    /// Milliseconds until a request without a reply asks whether the service lives, and for that to be answered.
    private static let silence: Int64 = 1_000

    private let state = Monitor(State())
    private let socket: ServiceSocket
    private let patience: Int64
    private let onSilence: @Sendable (Bool) -> Void

    /// Connects and introduces the program; nil where no service listens.
    ///
    /// A service that says nothing for `patience` milliseconds is given up: its process may be stopped. `client` is the
    /// number by which it knows this client again. `onSilence` is called with true once a request waits for a service
    /// that says nothing to anybody, and with false where it speaks again.
    static func connect(
        to socket: ServiceSocket, program: String, client: UInt64, patience: Int64 = ServiceSocket.patience,
        onSilence: @escaping @Sendable (Bool) -> Void = { _ in }
    ) throws(LinkFailure) -> (ServiceLink, Welcome)? {
        try calling { () throws in
            let hello = Hello(version: Wire.version, program: program, client: client)
            guard let stream = try greet(socket, hello, patience), let answer = try Self.answer(stream) else {
                return nil
            }
            switch answer {
            case .welcome(let welcome):
                stream.setPatience(milliseconds: nil)
                return (ServiceLink(stream, socket, patience, onSilence), welcome)
            case .refused(let sentence): throw LinkFailure(sentence)
            case .stopped: throw LinkFailure(WireErrors.stopped)
            case .reply, .update, .unsaved: throw LinkFailure(WireErrors.malformed)
            }
        }
    }

    /// Reads the answer to a greeting; nil where the service has ended: a killed one accepts until its last thread ends.
    private static func answer(_ stream: FrameStream) throws -> ServerMessage? {
        do {
            return try stream.read(ServerMessage.self)
        } catch FrameStream.Failure.ended {
            return nil
        }
    }

    /// Ends the service of any version and waits until it has saved what it can.
    static func stop(
        _ socket: ServiceSocket, program: String, patience: Int64
    ) throws(LinkFailure) -> RemoteService.StopOutcome {
        try calling { () throws in
            let hello = Hello(version: Wire.version, program: program, stops: true)
            guard let stream = try greet(socket, hello, patience) else { return .absent }
            var unsaved: SafeText?
            do {
                while true {
                    switch try stream.read(ServerMessage.self) {
                    case .unsaved(let sentence): unsaved = sentence
                    // Another client has ended it as well.
                    case .stopped: break
                    case .refused(let sentence): throw LinkFailure(sentence)
                    case .welcome, .reply, .update: throw LinkFailure(WireErrors.malformed)
                    }
                }
            } catch FrameStream.Failure.ended {
                return unsaved.map { .unsaved($0) } ?? .saved
            }
        }
    }

    private static func greet(_ socket: ServiceSocket, _ hello: Hello, _ patience: Int64) throws -> FrameStream? {
        guard let descriptor = try socket.connect() else { return nil }
        let stream = FrameStream(descriptor)
        stream.setPatience(milliseconds: patience)
        do {
            try stream.write(ClientMessage.hello(hello))
        } catch FrameStream.Failure.ended {
            // A service without room has refused already, and the reader finds its reason.
        }
        return stream
    }

    private static func calling<Value>(_ body: () throws -> Value) throws(LinkFailure) -> Value {
        do {
            return try body()
        } catch let failure as LinkFailure {
            throw failure
        } catch let problem as ServiceSocket.Problem {
            throw LinkFailure(problem.sentence)
        } catch FrameStream.Failure.ended {
            throw LinkFailure(WireErrors.lost)
        } catch FrameStream.Failure.silent {
            throw LinkFailure(WireErrors.silent)
        } catch {
            throw LinkFailure(WireErrors.malformed)
        }
    }

    private init(
        _ stream: FrameStream, _ socket: ServiceSocket, _ patience: Int64,
        _ onSilence: @escaping @Sendable (Bool) -> Void
    ) {
        (self.socket, self.patience, self.onSilence) = (socket, patience, onSilence)
        state.change { $0.stream = stream }
    }

    /// Whether the next connection would start the service again; nil unless another client has ended it.
    var startsOnConnection: Bool? { state.withLock(\.startsOnConnection) }

    /// What the service could not save when it ended.
    var unsaved: SafeText? { state.withLock(\.unsaved) }

    /// Whether the service has refused a message, as it would again.
    var isRefused: Bool { state.withLock(\.isRefused) }

    /// Whether the connection was given up because the service said nothing.
    var isHung: Bool { state.withLock(\.problem) == WireErrors.silent }

    /// Why the connection has ended, as a sentence.
    var problem: String { state.withLock(\.problem) ?? WireErrors.lost }

    /// Reads messages until the connection ends; called once, on its own thread.
    ///
    /// Returns the service's reason, nil where it gave none.
    func run(onUpdate: (TransferUpdate) -> Void) -> String? {
        guard let stream = state.withLock(\.stream) else { return nil }
        var reason: String?
        while reason == nil, let message = try? stream.read(ServerMessage.self) {
            endSilence()
            switch message {
            case .reply(let number, let reply):
                state.change { $0.receive(reply, to: number) }?(reply)
            case .update(let update): onUpdate(update)
            case .refused(let sentence):
                state.change { $0.isRefused = true }
                reason = sentence
            case .stopped(let startsOnConnection):
                state.change { $0.startsOnConnection = startsOnConnection }
                reason = WireErrors.stopped
            case .unsaved(let sentence): state.change { $0.unsaved = sentence }
            case .welcome: reason = WireErrors.malformed
            }
        }
        end(because: reason)
        return state.withLock(\.problem)
    }

    /// Ends the connection: waiting requests return nil.
    func end(because reason: String? = nil) {
        let (stream, calls) = state.change { state in
            let calls = state.awaited.filter { if case .call = $0.value { true } else { false } }
            for number in calls.keys { state.awaited[number] = nil }
            defer { state.stream = nil }
            state.problem = state.problem ?? reason
            return (state.stream, calls.values)
        }
        stream?.shutDown()
        for case .call(let body) in calls { body(nil) }
    }

    /// Sends a short request without waiting for anything; returns false where it was not sent.
    ///
    /// `body` is called with the reply on the thread that reads, and with nil when the connection ends before.
    func ask(_ request: WireRequest, _ body: @escaping @Sendable (WireReply?) -> Void) -> Bool {
        let turn = state.withLock { state -> (FrameStream, UInt64)? in
            guard let stream = state.stream else { return nil }
            state.count += 1
            state.awaited[state.count] = .call(body)
            return (stream, state.count)
        }
        guard let (stream, number) = turn else { return false }
        if stream.writeIfReady(ClientMessage.request(number, request)) { return true }
        return state.withLock { state in
            // The end of the connection may have called it already.
            defer { state.awaited[number] = nil }
            return state.awaited[number] == nil
        }
    }

    /// Sends a request and waits for its reply; nil when the connection has ended.
    ///
    /// The reply to a request that is longer than a frame, or has such a reply, is the failure ``Wire/tooLong``.
    ///
    /// - Parameter endsSilent: whether a service that says nothing is given up at once, as at the end of a window.
    func request(_ request: WireRequest, endsSilent: Bool = false) -> WireReply? {
        if endsSilent, state.withLock(\.isSilent) { end(because: WireErrors.silent) }
        return begin(request).flatMap { reply(to: $0, endsSilent: endsSilent) }
    }

    /// Sends a request and returns its number, for ``reply(to:)``; nil when the connection has ended.
    func begin(_ request: WireRequest) -> UInt64? {
        let turn = state.withLock { state -> (FrameStream, UInt64)? in
            guard let stream = state.stream else { return nil }
            state.count += 1
            state.awaited[state.count] = .reply
            return (stream, state.count)
        }
        guard let (stream, number) = turn else { return nil }
        do {
            try stream.write(ClientMessage.request(number, request))
        } catch FrameStream.Failure.tooLong {
            // It was not sent, and the connection is as good as before.
            state.change { $0.awaited[number] = .came(.failed(Wire.tooLong)) }
        } catch {
            end()
            return nil
        }
        return number
    }

    /// Waits for the reply to a request; nil when the connection has ended.
    func reply(to number: UInt64, endsSilent: Bool = false) -> WireReply? {
        let silence = min(Self.silence, patience)
        if !isOver(number, within: silence), !isAnswering(within: silence) {
            if endsSilent { end(because: WireErrors.silent) } else { beginSilence(of: number) }
        }
        while !isOver(number, within: patience) {
            if !isAnswering(within: patience) { end(because: WireErrors.silent) }
        }
        return state.wait { state -> WireReply?? in
            if let reply = state.reply(to: number) {
                state.awaited[number] = nil
                return reply
            }
            return state.stream == nil ? .some(nil) : nil
        }
    }

    /// Waits until a request has its reply or the connection has ended; returns false on timeout.
    private func isOver(_ number: UInt64, within milliseconds: Int64) -> Bool {
        state.wait(timeoutMilliseconds: milliseconds) { $0.stream == nil || $0.reply(to: number) != nil }
    }

    private func beginSilence(of number: UInt64) {
        let begins = state.withLock { state in
            guard !state.isSilent, state.stream != nil, state.reply(to: number) == nil else { return false }
            state.isSilent = true
            return true
        }
        if begins { onSilence(true) }
    }

    private func endSilence() {
        let ends = state.withLock { state in
            defer { state.isSilent = false }
            return state.isSilent
        }
        if ends { onSilence(false) }
    }

    /// Whether the service answers at all: one request may take long, but a new connection is welcomed at once.
    private func isAnswering(within patience: Int64) -> Bool {
        do {
            let hello = Hello(version: Wire.version, program: "")
            guard let stream = try Self.greet(socket, hello, patience) else { return false }
            _ = try stream.read(ServerMessage.self)
            return true
        } catch {
            return false
        }
    }

    /// Sends a message without a reply.
    func send(_ message: ClientMessage) {
        // The reading thread notices a lost connection.
        try? state.withLock(\.stream)?.write(message)
    }
}

extension ServiceSocket {
    /// What a service says to a window.
    package enum Greeting: Sendable, Equatable {
        /// None listens.
        case none
        case welcome
        /// Its refusal, or its silence.
        case failure(LinkFailure)
    }

    /// Asks the service whether it takes a window, without becoming one.
    package func greeting(program: String, patience: Int64) -> Greeting {
        do throws(LinkFailure) {
            guard let (link, _) = try ServiceLink.connect(to: self, program: program, client: 0, patience: patience)
            else {
                return .none
            }
            link.end()
            return .welcome
        } catch {
            return .failure(error)
        }
    }
}

/// Why a service cannot be used: one sentence.
package struct LinkFailure: Error, Equatable {
    package let sentence: String
    /// Whether a process has the socket and says nothing.
    package var isSilent: Bool { sentence == WireErrors.silent }

    init(_ sentence: String) { self.sentence = sentence }
}

extension ServiceSocket.Problem {
    package var sentence: String {
        switch self {
        case .unsafeFolder(let path): WireErrors.unsafeFolder(path)
        case .unusable(let path, let number): WireErrors.unusable(path, SystemWords.text(number))
        case .inUse: WireErrors.inUse
        case .foreign: WireErrors.foreign
        case .silent: WireErrors.silent
        }
    }
}
