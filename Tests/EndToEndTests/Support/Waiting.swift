/// A condition that did not come true in time, with what there was instead.
struct WaitingFailed: Error, CustomStringConvertible {
    var description: String
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
