/// One method with everything that the interface knows of it; a new one is one record in a table.
struct AriaMethod: Sendable {
    typealias Body = @Sendable (AriaCall) throws(AriaError) -> JSONValue

    let name: String
    /// Whether a call needs the token itself: the calls within a multicall have their own.
    let needsToken: Bool
    let run: Body

    init(_ name: String, needsToken: Bool = true, run: @escaping Body) {
        (self.name, self.needsToken, self.run) = (name, needsToken, run)
    }

    static let ok: JSONValue = "OK"

    static let all = ofAdding + ofTasks + ofAnswers + ofQueue + ofOptions + ofService + ofSystem + ofOwn

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    static func named(_ name: String) -> AriaMethod? { byName[name] }
}
