internal import FleetQueue
internal import TransferService

/// The conditions of a selection in SQL.
///
/// Text from outside is a parameter without exception, so it cannot end a literal. A term without a column matches no
/// row, and ``problem`` says so.
struct SelectionConditions: Sendable, Equatable {
    /// The longest pattern, in bytes.
    static let patternLimit = 1_000

    /// A condition on `netdash.job j`; nil where every job matches.
    private(set) var text: String?
    private(set) var parameters: [String?] = []
    private var lookups: [QueueStatement.Lookup] = []
    private(set) var problem: SafeText?
    /// Whether only kind and states decide, so that the tallies have the count.
    private(set) var isByState: Bool

    init(_ selection: RowRequest) {
        isByState = selection.groups.isEmpty
        var parts: [String] = []
        if let kind = selection.kind { parts.append("j.kind = \(parameter(kind.rawValue))") }
        if !selection.states.isEmpty { parts.append(Self.states(selection.states)) }
        let groups = selection.groups.map { group in
            group.isEmpty ? "true" : group.map { term($0) }.joined(separator: " AND ")
        }
        if !groups.isEmpty { parts.append("(" + groups.map { "(\($0))" }.joined(separator: " OR ") + ")") }
        if !parts.isEmpty { text = parts.joined(separator: " AND ") }
    }

    private mutating func parameter(_ value: String) -> String {
        // A NUL ends a text for libpq, and no stored text has one.
        parameters.append(value.replacing("\0", with: "\u{FFFD}"))
        return "$\(parameters.count)"
    }

    /// A part of names, which becomes an array of what has such a name.
    private mutating func lookup(_ part: String, in table: QueueStatement.Lookup.Table) -> String {
        lookups.append(QueueStatement.Lookup(table, parameter: parameters.count))
        return parameter(part)
    }

    /// A statement with the conditions' parameters.
    func statement(_ text: String) -> QueueStatement { QueueStatement(text, parameters, lookups: lookups) }

    private mutating func term(_ term: RowRequest.Term) -> String {
        let condition = condition(term.condition)
        // A missing value is no match, and its negation is one.
        return term.isNegated ? "NOT COALESCE(\(condition), false)" : condition
    }

    private mutating func condition(_ condition: RowRequest.Condition) -> String {
        switch condition {
        case .text(let part):
            let place = parameter(part)
            return "(strpos(lower(j.url), \(place)) > 0 OR strpos(lower(j.dest), \(place)) > 0)"
        case .host(let part):
            let isOfHost = "j.host_id = ANY (\(lookup(part, in: .hosts))::integer[])"
            // Running jobs have an index of their own.
            return "((j.state <> 'running' AND \(isOfHost)) OR (j.state = 'running' AND \(isOfHost)))"
        case .worker(let part):
            let isRunning = "j.state = 'running' AND strpos(lower(j.worker), \(parameter(part))) > 0"
            let names = lookup(part, in: .workers)
            return "((\(isRunning)) OR (\(Schema.hasEnded("j.")) AND j.worker = ANY (\(names)::text[])))"
        case .error(let part, let causes):
            let statuses = causes.contains(.http) || causes.contains(.authenticationRequired)
            let sentence = "strpos(lower(j.cause), \(parameter(part))) > 0"
            let found = statuses ? "(\(sentence) OR j.cause LIKE 'status %')" : sentence
            return "(\(found) AND \(Self.states([.failed, .retrying])))"
        case .pattern(let pattern):
            guard pattern.utf8.count <= Self.patternLimit else { return nothing(WindowErrors.longPattern) }
            let place = parameter(pattern)
            return "(j.url ~* \(place) OR j.dest ~* \(place))"
        case .states(let states): return Self.states(states)
        case .kinds(let kinds): return "(j.kind = ANY (\(parameter(Self.array(kinds.map(\.rawValue))))::text[]))"
        case .range(let measure, let lower, let upper): return range(measure, lower, upper)
        }
    }

    private static func array(_ words: [String]) -> String { PostgresText.array(words.map { Optional($0) }) }

    /// A term without a column.
    private mutating func nothing(_ reason: SafeText) -> String {
        problem = problem ?? reason
        return "false"
    }

    private mutating func range(
        _ measure: RowRequest.Measure, _ lower: RowRequest.Bound?, _ upper: RowRequest.Bound?
    ) -> String {
        let value: String
        switch measure {
        case .size: value = JobMeasures.size("j.")
        case .progress: value = Self.percent
        case .speed: return nothing(WindowErrors.noSpeed)
        case .age: return nothing(WindowErrors.noAge)
        }
        let bounds = [lower.map { ($0, ">") }, upper.map { ($0, "<") }].compactMap(\.self).map { bound, sign in
            "\(value) \(sign)\(bound.isIncluded ? "=" : "") \(parameter("\(bound.value)"))::double precision"
        }
        // Received bytes are the least of an unknown size; a finished file's are all.
        let known = measure == .size && upper != nil ? ["(j.total IS NOT NULL OR j.state = 'done')"] : []
        return bounds.isEmpty ? "true" : "(" + (known + bounds).joined(separator: " AND ") + ")"
    }

    /// The progress in percent; NULL where it is unknown.
    static let percent = """
        CASE WHEN j.state = 'done' THEN 100 WHEN j.total > 0 THEN \(JobMeasures.percent("j.")) END
        """

    // MARK: - States

    /// Jobs in any of these states of the dashboard.
    static func states(_ states: [RowState]) -> String {
        let parts = states.map { condition(of: $0) }
        return parts.count == 1 ? parts[0] : "(" + parts.joined(separator: " OR ") + ")"
    }

    static func condition(of state: RowState) -> String {
        switch state {
        case .running: "(j.state = 'running' AND j.wish <> 'pause')"
        case .pausing: "(j.state = 'running' AND j.wish = 'pause')"
        case .retrying: "(j.state = 'waiting' AND j.not_before > now())"
        case .queued: "(j.state = 'waiting' AND j.not_before <= now())"
        case .paused: "(j.state = 'paused')"
        case .failed: "(j.state = 'dead')"
        case .done: "(j.state = 'done')"
        case .cancelled: "(j.state = 'cancelled')"
        // The queue knows a job that is being verified as a running one.
        case .verifying, .saving: "(false)"
        }
    }
}
