public import Foundation
public import SessionCore
import SessionSupport

/// An answer of a stub: a status, fields, and a body in steps between which it may wait or break off.
///
/// ```swift
/// server.answer("/users/1", with: .text("who?", status: 401), .json(#"{"name":"Ada"}"#))
/// ```
public struct StubAnswer: Sendable {
    /// A step of an answer behind its head.
    ///
    /// ```swift
    /// var answer = StubAnswer.text("")
    /// answer.steps = [.bytes(Array("half".utf8)), .fail(SessionError(.connectionLost, "Cut"))]
    /// server.answer("/half", with: answer)
    /// ```
    public enum Step: Sendable {
        /// These bytes of the body arrive.
        case bytes([UInt8])
        /// Nothing arrives until the gate is open.
        case wait(StubGate)
        /// The connection breaks with this error.
        case fail(SessionError)
    }

    /// The status.
    public var status: Int
    /// The fields; a `Content-Length` is added where the steps say how long the body is.
    public var headers: HeaderFields
    /// What happens behind the head.
    public var steps: [Step]
    /// Keeps the head back until it is open; nil for an answer that comes at once.
    public var gate: StubGate?
    /// What the request fails with before there is a head; nil for none.
    public var error: SessionError?

    /// An answer with a body that arrives at once.
    public init(status: Int = 200, headers: HeaderFields = HeaderFields(), body: [UInt8] = []) {
        (self.status, self.headers) = (status, headers)
        steps = body.isEmpty ? [] : [.bytes(body)]
    }

    /// A text.
    public static func text(_ text: String, status: Int = 200) -> StubAnswer {
        StubAnswer(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// Data of a type.
    public static func data(
        _ data: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> StubAnswer {
        StubAnswer(status: status, headers: ["Content-Type": type], body: [UInt8](data))
    }

    /// JSON, as it is written.
    public static func json(_ text: String, status: Int = 200) -> StubAnswer {
        StubAnswer(status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }

    /// JSON of a value.
    public static func json(encoding value: some Encodable, status: Int = 200) throws -> StubAnswer {
        json(String(decoding: try JSONEncoder().encode(value), as: UTF8.self), status: status)
    }

    /// Nobody answers: the request fails.
    public static func failure(_ error: SessionError) -> StubAnswer {
        var answer = StubAnswer()
        answer.error = error
        return answer
    }

    /// A redirect.
    public static func redirect(to url: String, status: Int = 302) -> StubAnswer {
        StubAnswer(status: status, headers: ["Location": url])
    }

    /// This answer, kept back until the gate is open.
    public func waiting(for gate: StubGate) -> StubAnswer {
        var answer = self
        answer.gate = gate
        return answer
    }

    /// The head of the answer to a request; its length is said where it is known.
    func head(url: String) -> ResponseHead {
        var head = ResponseHead(statusCode: status, headers: headers, url: url)
        if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil, let length {
            head.headers.append(name: "Content-Length", value: "\(length)")
        }
        return head
    }

    /// How long the body is; nil where it breaks off.
    private var length: Int? {
        var length = 0
        for step in steps {
            switch step {
            case .bytes(let bytes): length += bytes.count
            case .wait: break
            case .fail: return nil
            }
        }
        return length
    }
}

/// A gate that keeps a stub's answer back until a test says so: a delay by event, not by time.
///
/// A class because the test and the answers share it.
///
/// ```swift
/// let gate = StubGate()
/// server.answer("/slow", with: .text("late").waiting(for: gate))
/// await gate.reached()
/// gate.open()
/// ```
public final class StubGate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var waiting: [@Sendable () -> Void] = []
        var arrivals = 0
        var listeners: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// A gate that is closed.
    public init() {}

    /// Lets everything through that waits and that will come.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    /// Waits until an answer stands before the gate, or has gone through it.
    public func reached() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.arrivals == 0 { state.listeners.append { continuation.resume() } }
                return state.arrivals > 0
            }
            if isReached { continuation.resume() }
        }
    }

    /// Runs something when the gate is open: at once, where it is.
    func pass(_ body: @escaping @Sendable () -> Void) {
        let (isOpen, listeners) = state.withLock { state in
            state.arrivals += 1
            if !state.isOpen { state.waiting.append(body) }
            defer { state.listeners = [] }
            return (state.isOpen, state.listeners)
        }
        for listener in listeners { listener() }
        if isOpen { body() }
    }
}
