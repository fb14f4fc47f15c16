import Dashboard

/// The tasks that a command's operands select.
///
/// Numbers, ranges and names add up; tags and conditions narrow that. Without any it selects all tasks.
struct TaskSelection: Sendable, Equatable {
    var ranges: [ClosedRange<UInt64>] = []
    /// Names of tasks, or shell patterns.
    var names: [String] = []
    /// Tags or patterns; a task must have one of them.
    var tags: [String] = []
    /// Filters in the dashboard's syntax; a task must match all.
    var filters: [String] = []

    static let all = TaskSelection()

    private init() {}

    /// Parses the operands; nil without any.
    init?(_ operands: [String], of command: ProgramCommand) throws(UsageError) {
        guard !operands.isEmpty else { return nil }
        guard operands != ["all"] else { return }
        // Adjacent conditions are one filter, so that two states are alternatives.
        var conditions: [String] = []
        for operand in operands {
            // An empty variable of a script must not select every task.
            guard operand.contains(where: { !$0.isWhitespace }) else {
                throw UsageError(argument: command.rawValue, ServiceUsage.emptyTask)
            }
            if let range = Self.range(operand) {
                ranges.append(range)
            } else if operand.hasPrefix("tag=") {
                tags.append(String(operand.dropFirst("tag=".count)))
            } else {
                let filter = FilterExpression(operand)
                if let problem = filter.problem { throw UsageError(argument: command.rawValue, problem.string) }
                switch filter.form {
                case .text: names.append(operand)
                case .conditions: conditions.append(operand)
                case .alternatives: filters.append(operand)
                }
            }
        }
        if !conditions.isEmpty { filters.append(conditions.joined(separator: " ")) }
    }

    /// Parses `7` or `3-7`.
    private static func range(_ text: String) -> ClosedRange<UInt64>? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { UInt64($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else { return nil }
        return first...last
    }
}
