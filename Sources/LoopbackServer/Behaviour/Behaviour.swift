/// The behaviour of one path, as a value: made from a few kinds, adjusted, put in sequence.
///
/// A fault in the second answer of a path, for example:
/// ```swift
/// server.setRoute("/file", .sequence([
///     .resource(file).cutting(after: 400_000, .reset),
///     .resource(file).adjusting { $0.headers.remove("Content-Range") },
/// ]))
/// ```
public struct Behaviour: Sendable {
    /// The source of a response.
    public indirect enum Kind: Sendable {
        /// The same response every time.
        case response(ScriptedResponse)
        /// A file with validators and ranges.
        case resource(ServedResource)
        /// A response made for the request, once its body was read. It runs on the connection's thread.
        case handler(@Sendable (RecordedRequest) -> ScriptedResponse)
        /// One behaviour for each request to the path; the last one stays. Empty means 404.
        case sequence([Behaviour])
        /// A behaviour chosen by the head, before the body is read.
        case choice(@Sendable (RecordedRequest) -> Behaviour)
    }

    /// The source of the response.
    public var kind: Kind
    /// The policy for a request body.
    ///
    /// In a sequence or choice, the finally chosen behaviour's policy applies.
    public var upload = UploadPolicy()
    /// Changes of the response, in order.
    private var adjustments: [@Sendable (inout ScriptedResponse) -> Void] = []

    /// Creates a behaviour of a kind.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// The same response every time.
    public static func respond(_ response: ScriptedResponse) -> Behaviour { Behaviour(.response(response)) }

    /// A file with validators and ranges.
    public static func resource(_ resource: ServedResource) -> Behaviour { Behaviour(.resource(resource)) }

    /// Generated content with a strong tag and range support.
    public static func file(seed: UInt64 = 1, count: Int64) -> Behaviour {
        .resource(ServedResource(seed: seed, count: count))
    }

    /// A response made for each request.
    public static func handler(_ handler: @escaping @Sendable (RecordedRequest) -> ScriptedResponse) -> Behaviour {
        Behaviour(.handler(handler))
    }

    /// One behaviour for each request; the last one stays.
    public static func sequence(_ steps: [Behaviour]) -> Behaviour { Behaviour(.sequence(steps)) }

    /// A behaviour chosen for each request by its head.
    public static func choosing(_ choose: @escaping @Sendable (RecordedRequest) -> Behaviour) -> Behaviour {
        Behaviour(.choice(choose))
    }

    /// A behaviour for each method; others get 405.
    public static func methods(_ table: [String: Behaviour]) -> Behaviour {
        .choosing { request in
            let allowed = table.keys.sorted().joined(separator: ", ")
            let refusal = ScriptedResponse(405, headers: ["Allow": allowed])
            return table[request.method] ?? .respond(refusal)
        }
    }

    /// The same with every response changed before it is sent.
    public func adjusting(_ change: @escaping @Sendable (inout ScriptedResponse) -> Void) -> Behaviour {
        var copy = self
        copy.adjustments.append(change)
        return copy
    }

    /// The same with another policy for request bodies.
    public func receiving(_ policy: UploadPolicy) -> Behaviour {
        var copy = self
        copy.upload = policy
        return copy
    }

    /// The behaviour of one visit, with sequences and choices resolved.
    func resolved(visit: Int, request: RecordedRequest) -> Behaviour {
        var chosen: Behaviour
        switch kind {
        case .response, .resource, .handler:
            return self
        case .sequence(let steps):
            guard let last = steps.last else { return .respond(.text("Not found.\n", status: 404)) }
            let step = visit < steps.count ? steps[visit] : last
            // A sequence inside a sequence counts from the visit it begins with.
            chosen = step.resolved(visit: max(0, visit - steps.count + 1), request: request)
        case .choice(let choose):
            chosen = choose(request).resolved(visit: visit, request: request)
        }
        chosen.adjustments += adjustments
        return chosen
    }

    /// The response to a request; only for resolved behaviours.
    func response(to request: RecordedRequest) -> ScriptedResponse {
        var response: ScriptedResponse
        switch kind {
        case .response(let fixed):
            response = fixed
        case .resource(let resource):
            response = resource.response(to: request)
        case .handler(let handler):
            response = handler(request)
        case .sequence, .choice:
            preconditionFailure("a behaviour was asked for its answer before it was resolved")
        }
        for adjust in adjustments { adjust(&response) }
        return response
    }
}
