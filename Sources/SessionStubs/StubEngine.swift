import Dispatch
import SessionCore
import SessionSupport

/// The engine of a manager with stubs: moves no bytes and opens no socket.
///
/// Everything happens on one serial queue, which emits events in the order they occur. A class because session and
/// queue share it.
final class StubEngine: TransferEngine {
    private struct State: Sendable {
        weak var client: (any EngineClient)?
        var transfers: [TransferID: StubTransfer] = [:]
        var isEnding = false
        var lastQuestion = 0
    }

    /// The bytes that may be delivered before the reader has consumed any, as in the real engine.
    private static let window = 1 << 20

    private let stubs: StubServer
    private let configuration: SessionConfiguration
    private let queue = DispatchQueue(label: "SessionCore.stubs")
    private let state = Locked(State())

    init(_ stubs: StubServer, _ configuration: SessionConfiguration) {
        (self.stubs, self.configuration) = (stubs, configuration)
    }

    func setClient(_ client: any EngineClient) { state.withLock { $0.client = client } }

    func submit(_ command: EngineCommand) { queue.async { self.take(command) } }

    private func take(_ command: EngineCommand) {
        switch command {
        case .add(let description): add(StubTransfer(description))
        case .reconcile(let id): goOn(id)
        case .disposition(let id, let disposition, let question): decide(id, disposition, question)
        case .redirect(let id, let request): redirect(id, request)
        case .refuseRedirect(let id):
            if case .redirect(_, let refusal?) = transfer(id)?.wait { finish(id, refusal) }
        case .consumed(let id, let bytes):
            change(id) { $0.unread -= bytes }
            goOn(id)
        case .queue(let changes): publish(.admitted(QueueChange.entered(changes)))
        case .setLimits, .setRateLimits: break
        case .invalidate(let cancelling): invalidate(cancelling: cancelling)
        }
    }

    // MARK: - Transfers

    private func transfer(_ id: TransferID) -> StubTransfer? { state.withLock { $0.transfers[id] } }

    private func change(_ id: TransferID, _ body: (inout StubTransfer) -> Void) {
        state.withLock { state in
            guard var transfer = state.transfers[id] else { return }
            body(&transfer)
            state.transfers[id] = transfer
        }
    }

    private func publish(_ event: EngineEvent) { state.withLock { $0.client }?.engineDidPublish([event]) }

    private func publishStatus(_ id: TransferID) {
        guard let transfer = transfer(id) else { return }
        transfer.description.control.publish(transfer.status)
        publish(.status(id, transfer.status))
    }

    private func add(_ transfer: StubTransfer) {
        let isEnding = state.withLock { state in
            state.transfers[transfer.id] = transfer
            return state.isEnding
        }
        if isEnding { finish(transfer.id, SessionError(.sessionInvalidated, "The session was invalidated")) }
    }

    /// Takes all steps that are possible now.
    private func goOn(_ id: TransferID) {
        while let transfer = transfer(id) {
            switch transfer.description.control.intent {
            case .cancelled: return finish(id, SessionError(.cancelled, "Cancelled", failingURL: transfer.request.url))
            case .suspended:
                change(id) { $0.status.phase = .paused }
                return publishStatus(id)
            case .running: guard step(transfer) else { return }
            }
        }
    }

    /// Takes one step; returns false if another event has to come first.
    private func step(_ transfer: StubTransfer) -> Bool {
        let id = transfer.id
        if transfer.status.phase == .paused { change(id) { $0.status.phase = .running } }
        switch transfer.wait {
        case .start: begin(transfer)
        case .headGate, .gate, .disposition, .redirect: return false
        case .nothing:
            if let error = transfer.answer.error {
                finish(id, error)
            } else if transfer.head == nil {
                takeHead(id)
            } else {
                return takeStep(transfer)
            }
        }
        return true
    }

    private func begin(_ transfer: StubTransfer) {
        let id = transfer.id
        let body: [UInt8]
        do throws(SessionError) {
            body = try StubBody.read(transfer.request.body, transfer.description.arrangement.pipedBody)
        } catch {
            return finish(id, error)
        }
        var headers = transfer.request.headers
        if transfer.request.url == transfer.description.request.url {
            for field in transfer.description.arrangement.conditions { headers[field.name] = field.value }
        }
        let own = headers
        for field in configuration.additionalHeaders where own[field.name] == nil { headers.append(field) }
        let answer = stubs.take(
            StubRequest(method: transfer.request.method, url: transfer.request.url, headers: headers, body: body))
        change(id) { $0.begin(answer, sentBytes: body.count) }
        publishStatus(id)
        if let gate = answer.gate { pass(gate, id, waiting: .headGate) }
    }

    private func pass(_ gate: StubGate, _ id: TransferID, waiting wait: StubTransfer.Wait) {
        gate.pass { [self] in
            queue.async { [self] in
                change(id) { if $0.wait == wait { $0.wait = .nothing } }
                goOn(id)
            }
        }
    }

    private func takeHead(_ id: TransferID) {
        var taken: ResponseHead?
        change(id) { taken = $0.takeHead() }
        guard let head = taken, let transfer = transfer(id), !isRedirected(transfer, head) else { return }
        accept(head, transfer)
    }

    private func accept(_ head: ResponseHead, _ transfer: StubTransfer) {
        let id = transfer.id
        if transfer.description.asks(.disposition) {
            let question = state.withLock { state in
                state.lastQuestion += 1
                return state.lastQuestion
            }
            change(id) { $0.wait = .disposition(question) }
            publish(.response(id, head, question: question))
        } else {
            publish(.response(id, head))
        }
        publishStatus(id)
    }

    private func takeStep(_ transfer: StubTransfer) -> Bool {
        let id = transfer.id
        guard transfer.unread < Self.window else { return false }
        switch transfer.steps.first {
        case nil: complete(transfer)
        case .fail(let error): finish(id, error)
        case .wait(let gate):
            change(id) {
                $0.steps.removeFirst()
                $0.wait = .gate
            }
            pass(gate, id, waiting: .gate)
        case .bytes(let bytes): receive(bytes, transfer)
        }
        return true
    }

    private func receive(_ bytes: [UInt8], _ transfer: StubTransfer) {
        let id = transfer.id
        let passesOn =
            switch transfer.sink {
            case .stream: true
            case .memory: transfer.description.asks(.chunks)
            case .file, .staged: false
            }
        change(id) { changed in
            changed.steps.removeFirst()
            if case .stream = changed.sink {} else { changed.body += bytes }
            changed.status.received += Int64(bytes.count)
            if passesOn { changed.unread += bytes.count }
        }
        if case .memory(let limit) = transfer.sink, transfer.body.count + bytes.count > limit {
            let sentence = "The body is longer than the \(limit) bytes that are collected"
            return finish(id, SessionError(.bodyTooLarge, sentence, failingURL: transfer.request.url))
        }
        if passesOn { publish(.data(id, bytes)) }
        publishStatus(id)
    }

    // MARK: - Questions

    private func decide(_ id: TransferID, _ disposition: ResponseDisposition, _ question: Int) {
        guard let transfer = transfer(id), transfer.wait == .disposition(question) else { return }
        change(id) { $0.wait = .nothing }
        switch disposition {
        case .allow: break
        case .cancel: return finish(id, SessionError(.cancelled, "Cancelled", failingURL: transfer.request.url))
        case .becomeDownload: change(id) { $0.sink = .staged }
        }
        goOn(id)
    }

    private func redirects(of transfer: StubTransfer) -> RedirectPolicy.Context {
        var context = transfer.context
        context.canReplaceBody = false
        context.keepsRedirects = transfer.request.options?.keepsRedirects ?? false
        context.allowsPlainHTTP = transfer.request.options?.allowsPlainRedirects ?? false
        context.limit = transfer.request.options?.redirectLimit
        context.methods = transfer.request.options?.redirectMethods ?? RedirectMethods()
        return context
    }

    /// Returns whether a head is a redirect, which is then handled.
    private func isRedirected(_ transfer: StubTransfer, _ head: ResponseHead) -> Bool {
        switch RedirectPolicy.decide(head, to: transfer.request, context: redirects(of: transfer)) {
        case .notARedirect: return false
        case .follow(let next): ask(transfer, head, next, refusal: nil)
        case .needsConsent(let next, let refusal) where transfer.description.asks(.redirect),
            .needsOther(let next, let refusal) where transfer.description.asks(.redirect):
            ask(transfer, head, next, refusal: refusal)
        case .leadsNowhere where transfer.description.kind != .download: return false
        case .keep where transfer.description.kind != .download: return false
        case .needsConsent(_, let error), .needsOther(_, let error), .refuse(let error), .leadsNowhere(let error),
            .keep(let error):
            finish(transfer.id, error)
        }
        return true
    }

    private func ask(_ transfer: StubTransfer, _ head: ResponseHead, _ next: TransferRequest, refusal: SessionError?) {
        change(transfer.id) { $0.wait = .redirect(proposed: next, refusal: refusal) }
        publish(.redirect(transfer.id, head, to: next, needsConsent: refusal != nil))
    }

    private func redirect(_ id: TransferID, _ next: TransferRequest?) {
        guard let transfer = transfer(id), let head = transfer.head,
            case .redirect(let proposed, let refusal) = transfer.wait
        else { return }
        if let next, let refusal,
            !RedirectPolicy.lifts(refusal, next, insteadOf: proposed, context: redirects(of: transfer))
        {
            return finish(id, refusal)
        }
        if let next {
            change(id) { changed in
                changed.context.hops += 1
                changed.context.visited.insert(RedirectPolicy.visitKey(changed.request))
                if (try? Origin(changed.request.url)) != (try? Origin(next.url)) {
                    changed.context.hasLeftOrigin = true
                }
                (changed.request, changed.wait) = (next, .start)
            }
            publish(.hop(id, next))
        } else {
            change(id) { $0.wait = .nothing }
            accept(head, transfer)
        }
        goOn(id)
    }

    // MARK: - Ends

    private func complete(_ transfer: StubTransfer) {
        guard transfer.writesFile, let head = transfer.head else { return finish(transfer.id, nil) }
        do throws(SessionError) {
            let result = try StubFile.write(transfer.body, head, transfer.sink, configuration)
            change(transfer.id) { $0.body = [] }
            finish(transfer.id, nil, result)
        } catch {
            finish(transfer.id, error)
        }
    }

    private func finish(_ id: TransferID, _ error: SessionError?, _ result: BodyResult = BodyResult()) {
        let (ended, isLast) = state.withLock { state in
            let ended = state.transfers.removeValue(forKey: id)
            return (ended, ended != nil && state.isEnding && state.transfers.isEmpty)
        }
        guard var ended else { return }
        ended.status.phase = error.map { $0.code == .cancelled ? .cancelled : .failed } ?? .completed
        ended.description.control.publish(ended.status)
        let outcome = TransferOutcome(error: error, head: ended.head, result: result, status: ended.status)
        publish(.finished(id, outcome, body: CollectedBody(ended.body)))
        if isLast { publish(.invalidated) }
    }

    private func invalidate(cancelling: Bool) {
        let running = state.withLock { state in
            state.isEnding = true
            return Array(state.transfers.keys)
        }
        if running.isEmpty { return publish(.invalidated) }
        guard cancelling else { return }
        for id in running { finish(id, SessionError(.cancelled, "Cancelled")) }
    }
}
