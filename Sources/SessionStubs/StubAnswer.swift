public import Foundation
public import SessionCore
import SessionSupport

/// A stub's response: a status, fields, and a body in steps that may wait or break off.
///
/// ```swift
/// server.answer("/users/1", with: .text("who?", status: 401), .json(#"{"name":"Ada"}"#))
/// ```
public struct StubAnswer: Sendable {
    /// A step of a response after its head.
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
    /// The fields; a `Content-Length` is added if the steps determine the body's length.
    public var headers: HeaderFields
    /// The steps after the head.
    public var steps: [Step]
    /// Delays the head until it is open; nil for a response without delay.
    public var gate: StubGate?
    /// The error of a request that fails before its head; nil for none.
    public var error: SessionError?

    /// A response with a body that arrives at once.
    public init(status: Int = 200, headers: HeaderFields = HeaderFields(), body: [UInt8] = []) {
        (self.status, self.headers) = (status, headers)
        steps = body.isEmpty ? [] : [.bytes(body)]
    }

    /// Returns a plain text response.
    public static func text(_ text: String, status: Int = 200) -> StubAnswer {
        StubAnswer(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// Returns a response with data of a content type.
    public static func data(
        _ data: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> StubAnswer {
        StubAnswer(status: status, headers: ["Content-Type": type], body: [UInt8](data))
    }

    /// Returns a JSON response, with the text unchanged.
    public static func json(_ text: String, status: Int = 200) -> StubAnswer {
        StubAnswer(status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }

    /// Returns a JSON response that encodes a value.
    public static func json(encoding value: some Encodable, status: Int = 200) throws -> StubAnswer {
        json(String(decoding: try JSONEncoder().encode(value), as: UTF8.self), status: status)
    }

    /// Returns a failure without any response.
    public static func failure(_ error: SessionError) -> StubAnswer {
        var answer = StubAnswer()
        answer.error = error
        return answer
    }

    /// Returns a redirect.
    public static func redirect(to url: String, status: Int = 302) -> StubAnswer {
        StubAnswer(status: status, headers: ["Location": url])
    }

    /// Returns this response, delayed until the gate is open.
    public func waiting(for gate: StubGate) -> StubAnswer {
        var answer = self
        answer.gate = gate
        return answer
    }

    /// The head of the response, with its length if known.
    func head(url: String) -> ResponseHead {
        var head = ResponseHead(statusCode: status, headers: headers, url: url)
        if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil, let length {
            head.headers.append(name: "Content-Length", value: "\(length)")
        }
        return head
    }

    /// The body's length; nil if the body breaks off.
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

/// A gate that delays a stub's response until a test opens it: a delay by event, not by time.
///
/// A class because the test and the responses share it.
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

    /// Releases every waiting and every later response.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    /// Waits until a response has reached or passed the gate.
    public func reached() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.arrivals == 0 { state.listeners.append { continuation.resume() } }
                return state.arrivals > 0
            }
            if isReached { continuation.resume() }
        }
    }

    /// Runs a closure once the gate is open, at once if it already is.
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
