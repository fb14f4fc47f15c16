extension Behaviour {
    /// Answers with what it was asked, as JSON: method, target, path, query, headers as pairs, and the body.
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

    /// Reads a body and answers how many bytes it had, with 201.
    public static func uploadSink(_ policy: UploadPolicy = UploadPolicy()) -> Behaviour {
        Behaviour.handler { .json("{\"received\":\($0.bodyByteCount)}", status: 201) }.receiving(policy)
    }

    /// Answers before the body is read, and ends the connection.
    public static func refusing(_ response: ScriptedResponse) -> Behaviour {
        Behaviour.respond(response).receiving(UploadPolicy(answersAfter: 0))
    }

    /// Serves at most so many requests at once, of all this server has; the others get `refusal`.
    public static func atMost(_ limit: Int, _ allowed: Behaviour, else refusal: ScriptedResponse) -> Behaviour {
        .choosing { $0.simultaneousCount > limit ? .respond(refusal) : allowed }
    }

    /// Lets a request through to `allowed` only with exactly that Authorization field; else 401 with a challenge.
    public static func guarded(
        authorization: String, challenge: String = "Basic realm=\"loopback\"", _ allowed: Behaviour
    ) -> Behaviour {
        var refusal = ScriptedResponse.text("Credentials are needed.\n", status: 401)
        refusal.headers["WWW-Authenticate"] = challenge
        let refused = Behaviour.respond(refusal)
        return .choosing { $0.header("Authorization") == authorization ? allowed : refused }
    }
}
