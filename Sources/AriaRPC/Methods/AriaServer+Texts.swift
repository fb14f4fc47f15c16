/// An answer to a text that came in.
package struct AriaAnswer: Sendable {
    package var body: [UInt8]
    /// The status of an HTTP response with it.
    package var status = 200
    /// Whether it waits, because a token was wrong or missing.
    package var isLate = false
    /// Whether a call had the token.
    package var wasAccepted = false
}

extension AriaServer {
    /// The most bytes of an answer: the calls of a batch or of a multicall beyond it fail.
    static let answerLimit = 64 << 20

    /// Answers a request or a batch of them.
    ///
    /// - Parameter isTrusted: whether the connection has shown the token already.
    package func answer(_ text: [UInt8], isTrusted: Bool = false) -> AriaAnswer {
        let value: JSONValue
        do throws(JSONReader.Fault) {
            value = try JSONReader.read(text)
        } catch {
            return refusal(.parse)
        }
        switch value {
        case .array(let calls): return answer(to: calls, isTrusted: isTrusted)
        case .object: return answer(to: value, isTrusted: isTrusted)
        case .string: return refusal(.invalidRequest)
        case .null, .bool, .integer, .decimal, .written: return refusal(.parse)
        }
    }

    /// Answers the calls of a batch in their order; what is no object is skipped, as in aria2.
    private func answer(to calls: [JSONValue], isTrusted: Bool) -> AriaAnswer {
        guard calls.count <= Self.mostCalls else { return refusal(.tooManyCalls) }
        var answer = AriaAnswer(body: [])
        var writer = JSONWriter()
        writer.append("[")
        for call in calls {
            guard case .object = call else { continue }
            writer.separate()
            guard writer.bytes.count < Self.answerLimit else {
                writer.write(Self.reply(call["id"] ?? .null, .failure(.answerTooLarge)))
                continue
            }
            let single = self.answer(to: call, isTrusted: isTrusted)
            writer.append(raw: single.body)
            answer.isLate = answer.isLate || single.isLate
            answer.wasAccepted = answer.wasAccepted || single.wasAccepted
        }
        writer.append("]")
        answer.body = writer.bytes
        return answer
    }

    private func answer(to call: JSONValue, isTrusted: Bool) -> AriaAnswer {
        guard let id = call["id"] else { return refusal(.invalidRequest) }
        guard let method = call["method"]?.text else { return refusal(.invalidRequest, id) }
        let parameters: [JSONValue]
        switch call["params"] {
        case nil: parameters = []
        case .array(let list): parameters = list
        case .null, .bool, .integer, .decimal, .string, .object, .written:
            return refusal(.invalidParameters, id)
        }
        let outcome = run(method, parameters, isTrusted: isTrusted)
        var answer = AriaAnswer(body: JSONWriter.bytes(of: Self.reply(id, outcome.result)))
        (answer.isLate, answer.wasAccepted) = (outcome.isLate, outcome.wasAccepted)
        if case .failure(let error) = outcome.result { answer.status = error.status }
        return answer
    }

    private func refusal(_ error: AriaError, _ id: JSONValue = .null) -> AriaAnswer {
        AriaAnswer(body: JSONWriter.bytes(of: Self.reply(id, .failure(error))), status: error.status)
    }

    private static func reply(_ id: JSONValue, _ result: Result<JSONValue, AriaError>) -> JSONValue {
        let last =
            switch result {
            case .success(let value): JSONValue.Member("result", value)
            case .failure(let error): JSONValue.Member("error", error.json)
            }
        return .object([JSONValue.Member("id", id), JSONValue.Member("jsonrpc", "2.0"), last])
    }
}
