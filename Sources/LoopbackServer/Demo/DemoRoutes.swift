/// Behaviours for a demonstration: one for each kind of transfer worth showing.
public enum DemoRoutes {
    /// A file at full or limited speed that can be paused and resumed.
    public static func file(seed: UInt64, count: Int64, bytesPerSecond: Int64? = nil) -> Behaviour {
        let file = Behaviour.file(seed: seed, count: count)
        return bytesPerSecond.map(file.limited(to:)) ?? file
    }

    /// A file whose connection is cut once after `cutAfter` bytes, and which can then be resumed.
    public static func flakyFile(
        seed: UInt64, count: Int64, cutAfter: Int64, bytesPerSecond: Int64? = nil
    ) -> Behaviour {
        let flaky = Behaviour.flaky(ServedResource(seed: seed, count: count), after: cutAfter)
        return bytesPerSecond.map(flaky.limited(to:)) ?? flaky
    }

    /// A missing page, with status 404.
    public static let missing = Behaviour.respond(
        .html("<!doctype html><title>404</title><p>There is no such page.</p>\n", status: 404))

    /// A JSON document.
    public static func data(_ json: String) -> Behaviour {
        .respond(.json(json))
    }

    /// A stream without a length, at a limited speed.
    public static func stream(seed: UInt64, count: Int64, bytesPerSecond: Int64) -> Behaviour {
        var response = ScriptedResponse(
            headers: ["Content-Type": "application/octet-stream"], body: .generated(seed: seed, count: count))
        response.framing = .chunked
        response.delivery.bytesPerSecond = bytesPerSecond
        return .respond(response)
    }

    /// Reads any request body, at full or limited speed.
    public static func upload(bytesPerSecond: Int64? = nil) -> Behaviour {
        .uploadSink(UploadPolicy(delivery: Delivery(bytesPerSecond: bytesPerSecond)))
    }

    /// Responds `times` times with 503 and a Retry-After, and then normally.
    public static func busy(times: Int, retryAfterSeconds: Int, then ready: Behaviour) -> Behaviour {
        var response = ScriptedResponse.html("<p>Too busy.</p>\n", status: 503)
        response.headers["Retry-After"] = String(retryAfterSeconds)
        let refusal = Behaviour.respond(response)
        return .sequence(Array(repeating: refusal, count: max(0, times)) + [ready])
    }
}
