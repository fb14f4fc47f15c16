import SessionSupport
import TransferService
import TransferValues

/// One client's connection: its requests are answered in their order, and updates are sent beside them.
///
/// An update is made only when the client has asked for it: a client that does not read costs no more than its queue of
/// notices, and delays no other.
final class ServiceConnection: Sendable {
    private struct Delivery {
        var subscription: (any Subscription)?
        var hasNews = false
        /// Whether the client has asked for an update.
        var isAsked = false
        /// Whether the client speaks this version.
        var isWelcome = false
        /// Whether the client ends the service and does nothing else.
        var stops = false
        /// The client's number.
        var client: UInt64 = 0
        /// Whether a message is being answered, and whether no further one will be.
        var isAnswering = false
        var isSilent = false
        var isEnded = false
    }

    /// The milliseconds within which a client says who it is.
    private static let helloPatience: Int64 = 10_000

    private let stream: FrameStream
    private let service: any TransferService
    private let welcome: Welcome
    private let onStop: @Sendable () -> Void
    private let delivery = Monitor(Delivery())

    init(
        _ stream: FrameStream, service: any TransferService, welcome: Welcome, onStop: @escaping @Sendable () -> Void
    ) {
        (self.stream, self.service, self.welcome, self.onStop) = (stream, service, welcome, onStop)
    }

    /// Tells the client how the service ends; returns false where that must be tried again, because an update is being
    /// written or the client does not read.
    func tell(_ message: ServerMessage) -> Bool {
        // A client that ends the service may be of another version, and learns the rest from the end of the connection.
        let hears = delivery.withLock { delivery in
            if case .unsaved = message { delivery.isWelcome || delivery.stops } else { delivery.isWelcome }
        }
        return hears ? stream.writeIfReady(message) : true
    }

    /// Answers nothing more, but what is being answered now: a client without an answer knows that nothing was done.
    func fallSilent() { delivery.change { $0.isSilent = true } }

    /// Waits until no message is being answered; returns false at the timeout.
    @discardableResult func waitForAnswer(milliseconds: Int64) -> Bool {
        delivery.wait(timeoutMilliseconds: milliseconds) { !$0.isAnswering }
    }

    /// Ends the connection from any thread.
    func end() {
        stream.shutDown()
        delivery.change { $0.isEnded = true }
    }

    /// Serves the client until it leaves; called on its own thread.
    func serve() {
        defer {
            end()
            delivery.withLock(\.subscription)?.cancel()
        }
        do {
            try greet()
            while true {
                let message = try stream.read(ClientMessage.self)
                try answering { try handle(message) }
            }
        } catch FrameStream.Failure.malformed {
            refuse(WireErrors.malformed)
        } catch FrameStream.Failure.tooLong {
            refuse(WireErrors.tooLong)
        } catch {
            // The client has gone.
        }
    }

    private func greet() throws {
        stream.setPatience(milliseconds: Self.helloPatience)
        guard case .hello(let hello) = try stream.read(ClientMessage.self) else { throw FrameStream.Failure.malformed }
        stream.setPatience(milliseconds: nil)
        if hello.stops == true {
            delivery.withLock { $0.stops = true }
            onStop()
            // The end of the connection tells the client that everything is saved.
            _ = try stream.read(ClientMessage.self)
        }
        guard hello.version == Wire.version else {
            refuse(
                WireErrors.otherVersion(service: welcome.program, client: hello.program, session: welcome.session))
            throw FrameStream.Failure.ended
        }
        try answering { try stream.write(ServerMessage.welcome(welcome)) }
        delivery.withLock { ($0.isWelcome, $0.client) = (true, hello.client ?? .random(in: 1...UInt64.max)) }
    }

    /// Answers a message, unless the service ends: then the client waits for the end of the connection.
    private func answering(_ body: () throws -> Void) throws {
        let isSilent = delivery.change { delivery in
            delivery.isAnswering = !delivery.isSilent
            return delivery.isSilent
        }
        guard !isSilent else {
            delivery.wait { $0.isEnded ? () : nil }
            throw FrameStream.Failure.ended
        }
        defer { delivery.change { $0.isAnswering = false } }
        try body()
    }

    private func refuse(_ sentence: String) {
        // A client that has gone needs no reason.
        try? stream.write(ServerMessage.refused(sentence))
    }

    // MARK: - Requests

    private func handle(_ message: ClientMessage) throws {
        switch message {
        case .hello: throw FrameStream.Failure.malformed
        case .request(let number, let request):
            do {
                try stream.write(ServerMessage.reply(number, reply(to: request)))
            } catch FrameStream.Failure.tooLong {
                // The client asks for less.
                try stream.write(ServerMessage.reply(number, .failed(Wire.tooLong)))
            }
            if request == .stop { onStop() }
        case .subscribe(let interest): try subscribe(interest)
        case .show(let ids): delivery.withLock(\.subscription)?.show(Set(ids))
        case .next: delivery.change { $0.isAsked = true }
        }
    }

    private var client: UInt64 { delivery.withLock(\.client) }

    private func reply(to request: WireRequest) -> WireReply {
        switch request {
        case .send(let command, once: let key?): return .sent(service.send(command, from: client, once: key))
        case .send(let command, once: nil): return .sent(service.send(command, from: client))
        case .ask(.page(let id, let limit)):
            return .answer(service.answer(.page(after: id, limit: min(max(limit, 0), Wire.pageLimit))))
        case .ask(.matching(var selection)):
            selection.limit = min(max(selection.limit, 0), Wire.selectionLimit)
            selection.kept = Array(selection.kept.prefix(Wire.pageLimit))
            return .answer(service.answer(.matching(selection)))
        case .ask(let question): return .answer(service.answer(question))
        case .writeBody(let id, let path): return Self.reply(service.writeBody(of: id, to: path)) { .bytes(Int64($0)) }
        case .changeURL(let id, let url):
            return Self.reply(service.changeURL(of: id, to: url, from: client)) {
                $0.map { .bytes($0) } ?? .follows
            }
        case .moveFile(let id, let path, let isUndo):
            return Self.reply(service.moveFile(of: id, to: path, isUndo: isUndo, from: client)) {
                $0.map { .path($0) } ?? .follows
            }
        case .deleteFiles(let ids): return .failures(service.deleteFiles(of: ids))
        case .removeLeftovers(let paths):
            let (line, complaints) = service.removeLeftovers(paths)
            return .removed(line, complaints: complaints)
        case .fileToView(let id): return .file(service.fileToView(of: id))
        case .stop: return .stopping
        }
    }

    private static func reply<Value>(
        _ result: Result<Value, TransferFailure>, _ success: (Value) -> WireReply
    ) -> WireReply {
        switch result {
        case .success(let value): success(value)
        case .failure(let failure): .failed(failure)
        }
    }

    // MARK: - Updates

    private func subscribe(_ interest: Interest) throws {
        guard delivery.withLock({ $0.subscription == nil }) else { throw FrameStream.Failure.malformed }
        var interest = interest
        // Only the process itself may keep notices without a limit.
        interest.keepsAll = false
        let subscription = service.subscribe(interest) { [weak self] in self?.delivery.change { $0.hasNews = true } }
        // Notices may wait that were sent before the subscription was stored.
        delivery.change { ($0.subscription, $0.hasNews) = (subscription, true) }
        try SystemThread.detach(name: "window-updates") { [self] in deliver(subscription) }
    }

    private func deliver(_ subscription: any Subscription) {
        while waitForTurn() {
            var update = subscription.take()
            // While the service ends it stops its tasks, which is no news of them; what is done was so before.
            if delivery.withLock(\.isSilent) {
                update.rows.removeAll { $0.state != .done }
                update.figures = []
            }
            guard !update.isEmpty else { continue }
            delivery.withLock { $0.isAsked = false }
            do {
                try stream.write(ServerMessage.update(update))
            } catch {
                return end()
            }
        }
    }

    /// Waits until there is news and the client has asked for it; returns false at the end.
    private func waitForTurn() -> Bool {
        delivery.wait { state in
            if state.isEnded { return false }
            guard state.hasNews, state.isAsked else { return nil }
            state.hasNews = false
            return true
        }
    }
}
