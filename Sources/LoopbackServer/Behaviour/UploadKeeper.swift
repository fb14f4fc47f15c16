import SessionSupport

/// Keeps uploads that were cut, so that their rest can be sent: as tus 1.0 has it, or the draft of the IETF.
///
/// One upload at a time lies at the path's `/kept`. What has arrived is read from the log of requests, so it counts what
/// came before a cut; the server has to keep as many bytes of a body as the upload has.
public struct UploadKeeper: Sendable {
    /// The protocol that is spoken.
    public enum Style: Sendable {
        case tus, draft
    }

    /// What is said of an upload in the place of the truth, by the number of the question from 0.
    public typealias Lie = @Sendable (_ question: Int, _ truth: Int) -> Int?

    let style: Style
    /// The path that uploads are sent to.
    let path: String
    /// After how many bytes of their bodies the first requests that have one break off.
    public var cuts: [Int64] = []
    /// Where the first request that has a body stands still.
    public var stall: Stall?
    /// What questions are answered with; nil where there is no answer for one (404).
    public var lie: Lie = { $1 }
    /// The status of an answer that has no truth in it.
    public var refusal = 404
    /// The largest upload and the most bytes in one request, which questions about it are answered with.
    public var limits = ""
    /// Where the upload is said to lie, by the number of the answer; nil for where it lies.
    public var place: (@Sendable (Int) -> String?)?

    /// A keeper of uploads to a path.
    public init(_ style: Style, at path: String) { (self.style, self.path) = (style, path) }

    /// Where the upload lies.
    public var keptPath: String { path + "/kept" }

    /// The bytes of the upload among requests, in the order of their arrival; a new upload begins anew.
    public func bytes(in requests: [RecordedRequest]) -> [UInt8] {
        var bytes: [UInt8] = []
        for request in requests {
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

/// The answers of a keeper.
private final class UploadAnswers: Sendable {
    private struct State {
        var bodies = 0
        var questions = 0
        var places = 0
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
        if request.path == keeper.keptPath {
            switch request.method {
            case "HEAD": return .handler { [self] _ in offset() }
            case "PATCH": return taking(.handler { [self] in append($0) })
            case "DELETE": return .respond(answer(204))
            default: return .respond(answer(405))
            }
        }
        switch (keeper.style, request.method) {
        case (.tus, "OPTIONS"):
            var offer = answer(204)
            offer.headers["Tus-Version"] = "1.0.0,0.2.2"
            offer.headers["Tus-Extension"] = "creation, termination"
            if !keeper.limits.isEmpty { offer.headers["Tus-Max-Size"] = keeper.limits }
            return .respond(offer)
        case (.draft, "OPTIONS"):
            var offer = answer(204)
            if !keeper.limits.isEmpty { offer.headers["Upload-Limit"] = keeper.limits }
            return .respond(offer)
        case (.tus, _):
            note(request)
            var made = answer(201)
            made.headers["Location"] = nextLocation()
            return .respond(made)
        case (.draft, _):
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
            defer { state.places += 1 }
            return state.places
        }
        return keeper.place?(number) ?? keeper.keptPath
    }

    /// Takes a body as far as the next cut.
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

    private func append(_ request: RecordedRequest) -> ScriptedResponse {
        let before = keeper.bytes(in: requests().filter { $0.index < request.index }).count
        guard request.header("Upload-Offset") == String(before) else {
            var conflict = answer(409)
            conflict.headers["Upload-Offset"] = String(before)
            return conflict
        }
        return end(of: request)
    }

    /// The answer to a request that has brought its bytes.
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
