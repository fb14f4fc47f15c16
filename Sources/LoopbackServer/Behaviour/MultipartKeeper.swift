import SessionSupport

/// An object store that takes uploads in parts, as Amazon's S3 does, for one object.
///
/// Parts are read from request bodies; the server's configuration must keep as many body bytes as a part has.
public final class MultipartKeeper: Sendable {
    /// A stored part.
    public struct Part: Sendable, Equatable {
        /// Its bytes.
        public var bytes: [UInt8]
        /// The SHA-256 that its request announced, in Base64.
        public var checksum: String?
    }

    /// The rules of a store.
    public struct Rules: Sendable {
        /// The body bytes after which the first requests with a part are cut.
        public var cuts: [Int64] = []
        /// The part whose first request stalls, and where it stalls.
        public var stall: (part: Int, Stall)?
        /// A response instead of the store's own, by the number of the request of its kind, from 0: `create`, `list`,
        /// `part`, `complete`, `abort`, `object`.
        public var fault: @Sendable (_ kind: String, _ number: Int) -> ScriptedResponse? = { _, _ in nil }
        /// Whether a fault replaces only the response: the store acts, and its response is lost.
        public var actsDespiteFault = false
        /// Whether lists and objects have digests.
        public var namesChecksums = true
        /// The tag of bytes, without quotation marks.
        public var tag: @Sendable ([UInt8]) -> String = { "tag-\($0.count)-\($0.first ?? 0)-\($0.last ?? 0)" }
        /// The tag of an object of some parts, without quotation marks.
        public var objectTag: @Sendable ([Part]) -> String = { "object-\($0.count)" }
        /// The most parts in one list.
        public var pageSize = 2

        /// Creates the rules of a store without faults.
        public init() {}
    }

    private struct State {
        var uploads: [String: [Int: Part]] = [:]
        var object: [UInt8]?
        var objectParts: [Part] = []
        var made = 0
        var bodies = 0
        var counts: [String: Int] = [:]
        var hasStalled = false
        var hasDropped = false
    }

    private let rules: Rules
    private let state = Locked(State())

    /// Creates a store.
    public init(_ rules: Rules = Rules()) { self.rules = rules }

    /// The object's bytes; nil before its parts were joined.
    public var object: [UInt8]? { state.withLock(\.object) }
    /// The parts of unfinished uploads, by upload and number.
    public var uploads: [String: [Int: Part]] { state.withLock(\.uploads) }

    /// Forgets all unfinished uploads, as a store does after some days.
    public func forgetUploads() { state.withLock { $0.uploads = [:] } }

    /// Loses a part of each upload, once.
    public func dropPart(_ number: Int) {
        state.withLock { state in
            guard !state.hasDropped else { return }
            state.hasDropped = true
            for id in state.uploads.keys { state.uploads[id]?[number] = nil }
        }
    }

    /// The behaviour of the object's path.
    public var behaviour: Behaviour {
        .choosing { [self] request in
            let kind = kind(of: request)
            let answer = Behaviour.handler { [self] in respond(to: $0, kind) }
            return kind == "part" ? taking(answer, request) : answer
        }
    }

    private func kind(of request: RecordedRequest) -> String {
        let query = Self.parameters(request.query)
        switch request.method {
        case "POST": return query["uploads"] != nil ? "create" : "complete"
        case "PUT": return query["partNumber"] != nil ? "part" : "object"
        case "GET" where query["uploadId"] != nil: return "list"
        case "DELETE": return "abort"
        default: return "object"
        }
    }

    private static func parameters(_ query: String?) -> [String: String] {
        var found: [String: String] = [:]
        for parameter in (query ?? "").split(separator: "&") {
            let name = parameter.prefix { $0 != "=" }
            let value = ByteText.percentDecoded(parameter.dropFirst(name.count + 1))
            found[String(name)] = String(decoding: value, as: UTF8.self)
        }
        return found
    }

    /// Returns the behaviour with the next cut, and with the stall if the part has one.
    private func taking(_ behaviour: Behaviour, _ request: RecordedRequest) -> Behaviour {
        var policy = UploadPolicy()
        state.withLock { state in
            if rules.cuts.indices.contains(state.bodies) {
                policy.delivery.cut = Cut(after: rules.cuts[state.bodies], manner: .reset)
            }
            state.bodies += 1
            let number = Self.parameters(request.query)["partNumber"]
            guard let stall = rules.stall, number == String(stall.part), !state.hasStalled else { return }
            state.hasStalled = true
            policy.delivery.stalls = [stall.1]
        }
        return behaviour.receiving(policy)
    }

    private func respond(to request: RecordedRequest, _ kind: String) -> ScriptedResponse {
        let number = state.withLock { state in
            defer { state.counts[kind, default: 0] += 1 }
            return state.counts[kind, default: 0]
        }
        let fault = rules.fault(kind, number)
        if let fault, !rules.actsDespiteFault { return fault }
        let own = state.withLock { act(kind, request, &$0) }
        return fault ?? own
    }

    private func act(_ kind: String, _ request: RecordedRequest, _ state: inout State) -> ScriptedResponse {
        let query = Self.parameters(request.query)
        let id = query["uploadId"] ?? ""
        switch kind {
        case "create":
            state.made += 1
            state.uploads["up/\(state.made)"] = [:]
            let name = "InitiateMultipartUploadResult"
            return Self.page("<\(name)><UploadId>up/\(state.made)</UploadId>", name)
        case "object": return object(of: state)
        default: break
        }
        guard let parts = state.uploads[id] else { return Self.error("NoSuchUpload", status: 404) }
        switch kind {
        case "part":
            guard let number = query["partNumber"].flatMap({ Int($0) }) else { return ScriptedResponse(400) }
            let part = Part(bytes: request.bodyPrefix, checksum: request.header("x-amz-checksum-sha256"))
            state.uploads[id]?[number] = part
            return ScriptedResponse(200, headers: ["ETag": "\"\(rules.tag(part.bytes))\""])
        case "list": return list(parts, after: query["part-number-marker"].flatMap { Int($0) } ?? 0)
        case "abort":
            state.uploads[id] = nil
            return ScriptedResponse(204)
        default: return complete(id, parts, String(decoding: request.bodyPrefix, as: UTF8.self), &state)
        }
    }

    private func list(_ parts: [Int: Part], after marker: Int) -> ScriptedResponse {
        let numbers = parts.keys.sorted().filter { $0 > marker }
        var text = "<ListPartsResult>"
        for number in numbers.prefix(rules.pageSize) {
            guard let part = parts[number] else { continue }
            text += "<Part><PartNumber>\(number)</PartNumber><ETag>&quot;\(rules.tag(part.bytes))&quot;</ETag>"
            text += "<Size>\(part.bytes.count)</Size>"
            if rules.namesChecksums, let sum = part.checksum { text += "<ChecksumSHA256>\(sum)</ChecksumSHA256>" }
            text += "</Part>"
        }
        let isCut = numbers.count > rules.pageSize
        text += "<IsTruncated>\(isCut)</IsTruncated>"
        if isCut { text += "<NextPartNumberMarker>\(numbers[rules.pageSize - 1])</NextPartNumberMarker>" }
        return Self.page(text, "ListPartsResult")
    }

    /// Joins the parts that a request names, if they have the tags that it names.
    private func complete(
        _ id: String, _ parts: [Int: Part], _ text: String, _ state: inout State
    ) -> ScriptedResponse {
        var bytes: [UInt8] = []
        var joined: [Part] = []
        let entries = text.split(separator: "<Part>").dropFirst()
        for (index, entry) in entries.enumerated() {
            guard let part = parts[index + 1], entry.hasPrefix("<PartNumber>\(index + 1)</PartNumber>"),
                entry.contains("<ETag>&quot;\(rules.tag(part.bytes))&quot;</ETag>")
            else { return Self.error("InvalidPart", status: 400) }
            bytes += part.bytes
            joined.append(part)
        }
        guard !joined.isEmpty else { return Self.error("MalformedXML", status: 400) }
        (state.object, state.objectParts, state.uploads[id]) = (bytes, joined, nil)
        return Self.page("<CompleteMultipartUploadResult><Key>k</Key>", "CompleteMultipartUploadResult")
    }

    private func object(of state: State) -> ScriptedResponse {
        guard let object = state.object else { return ScriptedResponse(404) }
        var response = ScriptedResponse(200, body: .bytes(object))
        response.headers["ETag"] = "\"\(rules.objectTag(state.objectParts))\""
        return response
    }

    private static func page(_ start: String, _ name: String, status: Int = 200) -> ScriptedResponse {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + start + "</\(name)>"
        return ScriptedResponse(status, headers: ["Content-Type": "application/xml"], body: .text(text))
    }

    /// The store's description of an error.
    public static func error(_ code: String, status: Int) -> ScriptedResponse {
        page("<Error><Code>\(code)</Code><Message>m</Message>", "Error", status: status)
    }
}
