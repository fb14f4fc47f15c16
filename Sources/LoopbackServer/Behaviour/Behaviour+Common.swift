import SessionSupport

extension Behaviour {
    /// Responds with the request as JSON: method, target, path, query, headers as pairs, and the body.
    public static let echo = Behaviour.handler { request in
        let headers = request.headers.map { JSONText.array([JSONText.string($0.name), JSONText.string($0.value)]) }
        return .json(
            JSONText.object([
                ("method", JSONText.string(request.method)),
                ("target", JSONText.string(request.target)),
                ("path", JSONText.string(request.path)),
                ("query", request.query.map(JSONText.string) ?? "null"),
                ("headers", JSONText.array(headers)),
                ("bodyByteCount", String(request.bodyByteCount)),
                ("body", JSONText.string(String(decoding: request.bodyPrefix, as: UTF8.self))),
            ]))
    }

    /// Reads a body and responds with its number of bytes and status 201.
    public static func uploadSink(_ policy: UploadPolicy = UploadPolicy()) -> Behaviour {
        Behaviour.handler { .json("{\"received\":\($0.bodyByteCount)}", status: 201) }.receiving(policy)
    }

    /// Responds before the body is read, and ends the connection.
    public static func refusing(_ response: ScriptedResponse) -> Behaviour {
        Behaviour.respond(response).receiving(UploadPolicy(answersAfter: 0))
    }

    /// Serves at most `limit` requests of the server at once; the others get `refusal`.
    public static func atMost(_ limit: Int, _ allowed: Behaviour, else refusal: ScriptedResponse) -> Behaviour {
        .choosing { $0.simultaneousCount > limit ? .respond(refusal) : allowed }
    }

    /// Serves at most `limit` requests within any second; the others get `refusal`.
    public static func atRate(_ limit: Int, _ allowed: Behaviour, else refusal: ScriptedResponse) -> Behaviour {
        let served = Locked<[ContinuousClock.Instant]>([])
        return .choosing { _ in
            let isServed = served.withLock { served in
                let now = ContinuousClock.now
                served.removeAll { now - $0 >= .seconds(1) }
                guard served.count < limit else { return false }
                served.append(now)
                return true
            }
            return isServed ? allowed : .respond(refusal)
        }
    }

    /// Requires exactly that Authorization field for `allowed`; otherwise responds with 401 and a challenge.
    public static func guarded(
        authorization: String, challenge: String = "Basic realm=\"loopback\"", _ allowed: Behaviour
    ) -> Behaviour {
        var refusal = ScriptedResponse.text("Credentials are needed.\n", status: 401)
        refusal.headers["WWW-Authenticate"] = challenge
        let refused = Behaviour.respond(refusal)
        return .choosing { $0.header("Authorization") == authorization ? allowed : refused }
    }
}

extension Behaviour {
    /// The same, cut off after a number of body bytes.
    public func cutting(after bytes: Int64, _ manner: Cut.Manner = .close) -> Behaviour {
        adjusting { $0.delivery.cut = Cut(after: bytes, manner: manner) }
    }

    /// The same, stalled after a number of body bytes until the gate opens.
    public func stalling(after bytes: Int64, until gate: Gate) -> Behaviour {
        adjusting { $0.delivery.stalls.append(Stall(after: bytes, gate: gate)) }
    }

    /// The same, with the head delayed until the gate opens; a gate that is never released never responds.
    public func waiting(for gate: Gate) -> Behaviour {
        adjusting { $0.gateBeforeHead = gate }
    }

    /// The same at a limited speed.
    public func limited(to bytesPerSecond: Int64) -> Behaviour {
        adjusting { $0.delivery.bytesPerSecond = bytesPerSecond }
    }

    /// The same with another framing.
    public func framed(_ framing: Framing) -> Behaviour {
        adjusting { $0.framing = framing }
    }

    /// The same with a field set, or removed with nil.
    public func header(_ name: String, _ value: String?) -> Behaviour {
        adjusting { $0.headers[name] = value }
    }

    /// A file that is cut off once, after `bytes`, and can be resumed after that.
    public static func flaky(
        _ resource: ServedResource, after bytes: Int64, _ manner: Cut.Manner = .reset
    ) -> Behaviour {
        .sequence([Behaviour.resource(resource).cutting(after: bytes, manner), .resource(resource)])
    }

    /// A redirect.
    public static func redirect(to location: String, status: Int = 302) -> Behaviour {
        .respond(.redirect(to: location, status: status))
    }

    /// The end of the connection instead of a response.
    public static func silence(_ manner: Cut.Manner = .close) -> Behaviour {
        .respond(.silence(manner))
    }

    /// The same, followed by bytes that belong to no response.
    public func followed(by surplus: [UInt8], after gate: Gate? = nil) -> Behaviour {
        adjusting {
            $0.surplus = surplus
            $0.gateBeforeSurplus = gate
        }
    }

    /// Bytes that need not be HTTP.
    public static func raw(_ text: String) -> Behaviour {
        .respond(.raw(.text(text)))
    }
}
