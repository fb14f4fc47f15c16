import SessionSupport
import TransferValues

/// One call: its parameters without the token, and what its method may use.
struct AriaCall {
    let server: AriaServer
    let parameters: [JSONValue]
    /// Whether the connection has shown the token already.
    let isTrusted: Bool
    private let wasDelayed = Locked(false)

    init(server: AriaServer, parameters: [JSONValue], isTrusted: Bool) {
        (self.server, self.parameters, self.isTrusted) = (server, parameters, isTrusted)
    }

    var tasks: any AriaTasks { server.tasks }
    /// Whether a call within it had a wrong token.
    var isLate: Bool { wasDelayed.withLock { $0 } }

    func delay() { wasDelayed.withLock { $0 = true } }

    // MARK: - Parameters

    /// A parameter; nil for a missing one, where `convert` gives nil for a wrong type.
    func optional<Value>(_ index: Int, _ convert: (JSONValue) -> Value?) throws(AriaError) -> Value? {
        guard index < parameters.count else { return nil }
        guard let value = convert(parameters[index]) else { throw AriaError(AriaErrors.wrongType(index)) }
        return value
    }

    func required<Value>(_ index: Int, _ convert: (JSONValue) -> Value?) throws(AriaError) -> Value {
        guard let value = try optional(index, convert) else { throw AriaError(AriaErrors.missingParameter(index)) }
        return value
    }

    func text(_ index: Int) throws(AriaError) -> String { try required(index, \.text) }
    func list(_ index: Int) throws(AriaError) -> [JSONValue] { try required(index, \.list) }

    func integer(_ index: Int, least: Int64? = nil) throws(AriaError) -> Int64 {
        let number = try required(index, \.number)
        if let least, number < least { throw AriaError(AriaErrors.tooSmall(index, least: least)) }
        return number
    }

    /// The members of an object, each name once, the last one of several.
    func options(_ index: Int) throws(AriaError) -> [JSONValue.Member] {
        try required(index) { if case .object(let members) = $0 { members } else { nil } }
    }

    func optionalOptions(_ index: Int) throws(AriaError) -> [JSONValue.Member] {
        index < parameters.count ? try options(index) : []
    }

    /// A place beyond the end of any queue, to which the numbers of all tasks can be added.
    private static let farthest = Int64(Int32.max)

    /// The place in the queue that a new task asks for; nil for its end.
    func position(_ index: Int) throws(AriaError) -> Int? {
        guard let position = try optional(index, \.number) else { return nil }
        guard position >= 0 else { throw AriaError(AriaErrors.negativePosition) }
        return Int(min(position, Self.farthest))
    }

    /// The names of the keys of an answer; empty for all.
    func keys(_ index: Int) throws(AriaError) -> Set<String> {
        Set(try optional(index, \.list)?.compactMap(\.text) ?? [])
    }

    // MARK: - Tasks

    /// The row of the GID that is the first parameter.
    func row() throws(AriaError) -> UInt64 {
        let text = try text(0)
        let id = try server.gids().row(text, in: tasks)
        guard !server.state.withLock({ $0.leaving.contains(id) }) else { throw AriaError(AriaErrors.notFound(text)) }
        return id
    }

    /// The numbers of that row, and its own GID.
    func task() throws(AriaError) -> (row: RowFigures, gid: String) {
        let id = try row()
        guard let figures = server.figures(of: [id]).first else {
            throw AriaError(AriaErrors.notFound(try text(0)))
        }
        return (figures, server.gids().gid(of: id).description)
    }

    /// A task with what an answer about its file needs.
    func view(_ needs: TaskNeeds) throws(AriaError) -> TaskView {
        let (row, gid) = try task()
        var view: TaskView?
        server.readViews(of: [row], needs: { _ in needs }) { view = $0 }
        guard let view else { throw AriaError(AriaErrors.notFound(gid)) }
        return view
    }

    func ids(of list: TaskList) -> [UInt64] { list.ids(of: server.standings()) }
}
