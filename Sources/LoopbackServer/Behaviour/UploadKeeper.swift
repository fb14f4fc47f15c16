import SessionSupport

/// Keeps interrupted uploads so that they can resume, by tus 1.0, the IETF draft or `Content-Range`.
///
/// One upload at a time is at the path's `/kept`, or at the path itself with `Content-Range`. Received bytes are read from the log of requests, so bytes before a
/// cut count; the server's configuration must keep as many body bytes as the upload has.
public struct UploadKeeper: Sendable {
    /// The upload protocol.
    public enum Style: Sendable {
        case tus, draft, contentRange
    }

    /// A false offset, by the number of the request for it from 0.
    public typealias Lie = @Sendable (_ question: Int, _ truth: Int) -> Int?

    let style: Style
    /// The path that uploads are sent to.
    let path: String
    /// The body bytes after which the first requests with a body are cut.
    public var cuts: [Int64] = []
    /// Where the first request with a body stalls.
    public var stall: Stall?
    /// The offsets in responses; nil responds with ``refusal``.
    public var lie: Lie = { $1 }
    /// The status of a response without an offset.
    public var refusal = 404
    /// The largest upload and the most bytes per request, as responses announce them.
    public var limits = ""
    /// The upload's announced URL, by the number of the response; nil for the true one.
    public var location: (@Sendable (Int) -> String?)?

    /// Creates a keeper of uploads to a path.
    public init(_ style: Style, at path: String) { (self.style, self.path) = (style, path) }

    /// The path of the kept upload.
    public var keptPath: String { path + "/kept" }

    /// The bytes of the upload in requests, in the order of their arrival; a new upload resets them.
    public func bytes(in requests: [RecordedRequest]) -> [UInt8] {
        var bytes: [UInt8] = []
        for request in requests {
            if style == .contentRange {
                guard request.path == path, let offset = Self.rangeOffset(request) else { continue }
                if offset == 0 { bytes = [] }
                if offset == bytes.count { bytes += request.bodyPrefix }
                continue
            }
            let isCreation = request.path == path && request.method != "OPTIONS"
            if isCreation { bytes = [] }
            guard isCreation && style == .draft || request.path == keptPath && request.method == "PATCH" else {
                continue
            }
            let offset = isCreation ? 0 : request.header("Upload-Offset").flatMap { Int($0) }
            if offset == bytes.count { bytes += request.bodyPrefix }
        }
        return bytes
    }

    /// The offset of a request with bytes of the upload; nil for a question.
    static func rangeOffset(_ request: RecordedRequest) -> Int? {
        guard let field = request.header("Content-Range") else { return request.method == "PUT" ? 0 : nil }
        let range = field.dropFirst("bytes ".count)
        return range.hasPrefix("*") ? nil : Int(range.prefix { $0 != "-" })
    }
}

extension LoopbackServer {
    /// Keeps uploads from now on.
    public func keepUploads(_ keeper: UploadKeeper) {
        let answers = UploadAnswers(keeper) { [weak core] in core?.log.withLock(\.requests) ?? [] }
        let behaviour = Behaviour.choosing { answers.behaviour(for: $0) }
        setRoute(keeper.path, behaviour)
        setRoute(keeper.keptPath, behaviour)
    }
}

/// Makes a keeper's responses.
private final class UploadAnswers: Sendable {
    private struct State {
        var bodies = 0
        var questions = 0
        var locations = 0
        var length = 0
    }

    private let keeper: UploadKeeper
    private let requests: @Sendable () -> [RecordedRequest]
    private let state = Locked(State())

    init(_ keeper: UploadKeeper, requests: @escaping @Sendable () -> [RecordedRequest]) {
        (self.keeper, self.requests) = (keeper, requests)
    }

    private var version: (name: String, value: String) {
        keeper.style == .tus ? ("Tus-Resumable", "1.0.0") : ("Upload-Draft-Interop-Version", "8")
    }

    func behaviour(for request: RecordedRequest) -> Behaviour {
        if keeper.style == .contentRange {
            if UploadKeeper.rangeOffset(request) == nil { return .handler { [self] in rangeState(after: $0) } }
            return taking(.handler { [self] in rangeState(after: $0) })
        }
        if request.path == keeper.keptPath {
            switch request.method {
            case "HEAD": return .handler { [self] _ in offset() }
            case "PATCH": return taking(.handler { [self] in append($0) })
            case "DELETE": return .respond(answer(204))
            default: return .respond(answer(405))
            }
        }
        switch (keeper.style == .tus, request.method) {
        case (true, "OPTIONS"):
            var offer = answer(204)
            offer.headers["Tus-Version"] = "1.0.0,0.2.2"
            offer.headers["Tus-Extension"] = "creation, termination"
            if !keeper.limits.isEmpty { offer.headers["Tus-Max-Size"] = keeper.limits }
            return .respond(offer)
        case (false, "OPTIONS"):
            var offer = answer(204)
            if !keeper.limits.isEmpty { offer.headers["Upload-Limit"] = keeper.limits }
            return .respond(offer)
        case (true, _):
            note(request)
            var made = answer(201)
            made.headers["Location"] = nextLocation()
            return .respond(made)
        case (false, _):
            note(request)
            let interim = InterimResponse(
                status: 104, headers: [version.name: version.value, "Location": nextLocation()])
            return taking(.handler { [self] in end(of: $0) }, interim: [interim])
        }
    }

    private func note(_ request: RecordedRequest) {
        state.withLock { $0.length = request.header("Upload-Length").flatMap { Int($0) } ?? 0 }
    }

    private func nextLocation() -> String {
        let number = state.withLock { state in
            defer { state.locations += 1 }
            return state.locations
        }
        return keeper.location?(number) ?? keeper.keptPath
    }

    /// Reads a body up to the next cut.
    private func taking(_ behaviour: Behaviour, interim: [InterimResponse] = []) -> Behaviour {
        let number = state.withLock { state in
            defer { state.bodies += 1 }
            return state.bodies
        }
        var policy = UploadPolicy()
        policy.interim = interim
        if keeper.cuts.indices.contains(number) {
            policy.delivery.cut = Cut(after: keeper.cuts[number], manner: .reset)
        }
        if number == 0, let stall = keeper.stall { policy.delivery.stalls = [stall] }
        return behaviour.receiving(policy)
    }

    private func answer(_ status: Int) -> ScriptedResponse {
        ScriptedResponse(status, headers: [version.name: version.value])
    }

    private func offset() -> ScriptedResponse {
        let (number, length) = state.withLock { state in
            defer { state.questions += 1 }
            return (state.questions, state.length)
        }
        let truth = keeper.bytes(in: requests()).count
        guard let told = keeper.lie(number, truth) else { return answer(keeper.refusal) }
        var response = answer(keeper.style == .tus ? 200 : 204)
        response.headers["Upload-Offset"] = String(told)
        response.headers["Upload-Length"] = String(length)
        if keeper.style == .draft { response.headers["Upload-Complete"] = told == length ? "?1" : "?0" }
        return response
    }

    /// The response with what is stored: 308 until that is all, as Google's storage answers.
    private func rangeState(after request: RecordedRequest) -> ScriptedResponse {
        let isQuestion = UploadKeeper.rangeOffset(request) == nil
        let field = request.header("Content-Range")?.split(separator: "/").last
        let length = field.flatMap { Int($0) } ?? Int(request.bodyByteCount)
        let truth = keeper.bytes(in: requests()).count
        var told: Int? = truth
        if isQuestion {
            let number = state.withLock { state in
                defer { state.questions += 1 }
                return state.questions
            }
            told = keeper.lie(number, truth)
        }
        guard let told else { return ScriptedResponse(keeper.refusal) }
        if told == length { return ScriptedResponse(201, body: .text("whole")) }
        return ScriptedResponse(308, headers: told > 0 ? ["Range": "bytes=0-\(told - 1)"] : [:])
    }

    private func append(_ request: RecordedRequest) -> ScriptedResponse {
        let before = keeper.bytes(in: requests().filter { $0.index < request.index }).count
        guard request.header("Upload-Offset") == String(before) else {
            var conflict = answer(409)
            conflict.headers["Upload-Offset"] = String(before)
            return conflict
        }
        return end(of: request)
    }

    /// The response to a request with all of its bytes.
    private func end(of request: RecordedRequest) -> ScriptedResponse {
        let (count, length) = (keeper.bytes(in: requests()).count, state.withLock(\.length))
        var response = answer(keeper.style == .tus ? 204 : 201)
        response.headers["Upload-Offset"] = String(count)
        if keeper.style == .draft {
            let isComplete = request.header("Upload-Complete") == "?1" && count == length
            response.headers["Upload-Complete"] = isComplete ? "?1" : "?0"
            if isComplete { response.body = .text("whole") }
        }
        return response
    }
}
