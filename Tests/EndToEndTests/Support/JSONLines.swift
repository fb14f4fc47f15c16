import Foundation

/// The events of `--json`, each checked to be an object on a line of its own.
struct JSONLines {
    /// One event.
    struct Event {
        var fields: [String: Any]

        /// The event's name.
        var name: String { fields["event"] as? String ?? "" }
        /// The transfer's number; nil for the summary.
        var id: Int? { fields["id"] as? Int }

        func number(_ key: String) -> Int? { fields[key] as? Int }
        func text(_ key: String) -> String? { fields[key] as? String }
    }

    /// The events in their order.
    let events: [Event]

    init(_ bytes: [UInt8]) throws {
        guard bytes.isEmpty || bytes.last == UInt8(ascii: "\n") else {
            throw WaitingFailed(description: "The last line has no end")
        }
        events = try bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map { line in
            guard let fields = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
                throw WaitingFailed(description: "Not an object: \(String(decoding: line, as: UTF8.self))")
            }
            return Event(fields: fields)
        }
    }

    /// The names of one transfer's events, progress left out.
    func names(of id: Int) -> [String] {
        events.filter { $0.id == id && $0.name != "progress" }.map(\.name)
    }

    /// The first event of a name.
    func first(_ name: String) -> Event? { events.first { $0.name == name } }
}

/// A condition that did not come true in time, with what there was instead.
struct WaitingFailed: Error, CustomStringConvertible {
    var description: String
}

/// Tries with each of some times, of which the first is enough on an idle machine and the last on any, until the result
/// is one in time.
///
/// A product that is wrong is so with the last one too, whose result is returned then.
func tryingLonger<Time, Value>(
    _ first: Time, _ last: Time, _ attempt: (Time) async throws -> Value, isInTime: (Value) -> Bool
) async throws -> Value {
    let value = try await attempt(first)
    return isInTime(value) ? value : try await attempt(last)
}

/// How long a test waits for something that comes at once on an idle machine.
let patience = Duration.seconds(30)

/// Looks again and again until something is there, or fails with what `otherwise` says.
///
/// Polling is all that can be done from outside a process; no test sleeps for longer than it has to.
func waitUntil<Value>(
    _ what: String, within limit: Duration = patience, otherwise: () -> String = { "" }, _ look: () throws -> Value?
) async throws -> Value {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while true {
        if let value = try look() { return value }
        guard clock.now < deadline else {
            throw WaitingFailed(description: "Waited \(limit) in vain for: \(what)\n\(otherwise())")
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
