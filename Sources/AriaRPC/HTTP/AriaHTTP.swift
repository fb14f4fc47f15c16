import SessionSupport

/// Answers requests of HTTP with the answers of a server.
package struct AriaHTTP: Sendable {
    /// The most bytes of a request's body, as in aria2.
    package static let bodyLimit = 2 << 20
    /// The least bytes of an answer that is worth compressing.
    private static let leastCompressed = 1_024
    private static let path = "/jsonrpc"
    /// Seconds for which a browser remembers what a page may send.
    private static let permissionSeconds = "1728000"

    package let server: AriaServer
    private let rule: OriginRule

    package init(_ server: AriaServer, _ rule: OriginRule) {
        (self.server, self.rule) = (server, rule)
    }

    package func reply(to request: RPCRequest) -> RPCReply {
        let (host, origin) = (request.fields["host"], request.fields["origin"])
        guard rule.accepts(host: host) else { return RPCReply(status: 403, AriaErrors.wrongHost) }
        guard rule.accepts(origin: origin, host: host), origin != nil || mayBeWithoutOrigin(request) else {
            return RPCReply(status: 403, AriaErrors.wrongOrigin)
        }
        var reply =
            switch request.method {
            case "OPTIONS": permission(request)
            case _ where request.path != Self.path: RPCReply(status: 404)
            case "POST": answer(server.answer(request.body, isTrusted: isTrusted(request)))
            case "GET" where Self.wantsUpgrade(request): upgrade(request)
            case "GET": get(request)
            default: RPCReply(status: 404)
            }
        if reply.body.count >= Self.leastCompressed {
            reply.mayBeCompressed = request.acceptsGzip
            reply.fields.append(.variesByCoding)
        }
        if let origin {
            reply.fields += [RPCReply.Field("Access-Control-Allow-Origin", origin), RPCReply.Field("Vary", "Origin")]
        }
        return reply
    }

    /// Whether a request without an Origin is no page's; where a token is needed, the token decides.
    ///
    /// A page may load any address as a script or as an image, and its browser then names no origin.
    private func mayBeWithoutOrigin(_ request: RPCRequest) -> Bool {
        server.needsToken
            || rule.accepts(
                fetchSite: request.fields["sec-fetch-site"], agent: request.fields["user-agent"],
                isGet: request.method == "GET")
    }

    /// Whether a request has the token in its header; a wrong one is as good as none.
    private func isTrusted(_ request: RPCRequest) -> Bool {
        let mark = "Bearer "
        guard server.needsToken, let field = request.fields["authorization"], field.hasPrefix(mark) else {
            return false
        }
        return server.accepts(token: String(field.dropFirst(mark.count)))
    }

    private func answer(_ answer: AriaAnswer, type: String = "application/json-rpc") -> RPCReply {
        var reply = RPCReply(status: answer.status)
        (reply.body, reply.isLate) = (answer.body, answer.isLate)
        reply.fields = [
            RPCReply.Field("Content-Type", type), RPCReply.Field("Cache-Control", "no-cache"),
            RPCReply.Field("X-Content-Type-Options", "nosniff"),
        ]
        return reply
    }

    /// What a page may send.
    private func permission(_ request: RPCRequest) -> RPCReply {
        var reply = RPCReply(status: 200)
        guard request.fields["origin"] != nil else { return reply }
        reply.fields = [
            RPCReply.Field("Access-Control-Allow-Methods", "POST, GET, OPTIONS"),
            RPCReply.Field("Access-Control-Max-Age", Self.permissionSeconds),
        ]
        if let names = request.fields["access-control-request-headers"],
            names.utf8.allSatisfy({ ByteText.isToken($0) || $0 == 0x2C || $0 == 0x20 })
        {
            reply.fields.append(RPCReply.Field("Access-Control-Allow-Headers", names))
        }
        return reply
    }

    // MARK: - GET

    /// A call in the query, and its answer as a call of the page's function where it names one.
    private func get(_ request: RPCRequest) -> RPCReply {
        let function = request.query["jsoncallback"]
        if let function, !Self.isName(function) { return answer(server.answer([])) }
        var answered = server.answer(Self.text(of: request.query), isTrusted: isTrusted(request))
        guard let function else { return answer(answered) }
        answered.body = Array(function.utf8) + [0x28] + answered.body + [0x29]
        // A page cannot read the answer of a script that failed.
        answered.status = 200
        return answer(answered, type: "text/javascript")
    }

    /// The request that a query stands for: a call, or a batch without a method.
    private static func text(of query: [String: String]) -> [UInt8] {
        let parameters = query["params"].flatMap { Base64.decode($0) }
        guard let method = query["method"] else { return parameters ?? Array("{}".utf8) }
        var members = [JSONValue.Member("method", .string(method))]
        if let id = query["id"] { members.append(JSONValue.Member("id", .string(id))) }
        if let parameters {
            // What is no JSON is no list, and is refused as such.
            let list = (try? JSONReader.read(parameters)) ?? .null
            members.append(JSONValue.Member("params", list))
        }
        return JSONWriter.bytes(of: .object(members))
    }

    private static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ByteText.isLetter($0) || ByteText.isDigit($0) || [0x2E, 0x5F, 0x24, 0x5B, 0x5D].contains($0)
            }
    }

    // MARK: - WebSocket

    private static func wantsUpgrade(_ request: RPCRequest) -> Bool {
        request.fields["upgrade"].map { ByteText.isSame($0, "websocket") } ?? false
    }

    private func upgrade(_ request: RPCRequest) -> RPCReply {
        guard request.fields["sec-websocket-version"] == WebSocketKey.version else {
            var reply = RPCReply(status: 426)
            reply.fields = [RPCReply.Field("Sec-WebSocket-Version", WebSocketKey.version)]
            return reply
        }
        guard let accept = request.fields["sec-websocket-key"].flatMap(WebSocketKey.accept) else {
            return RPCReply(status: 400)
        }
        let hasToken = request.query["token"].map { server.needsToken && server.accepts(token: $0) } ?? false
        var reply = RPCReply(status: 101)
        reply.upgrade = RPCReply.Upgrade(accept: accept, isTrusted: hasToken || isTrusted(request))
        return reply
    }
}
