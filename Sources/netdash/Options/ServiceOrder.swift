import Dashboard
import TransferService

/// A script's order to the service of a session.
enum ServiceOrder: Sendable, Equatable {
    /// Adds the jobs of the command line and its lists.
    case add
    case status(TaskSelection)
    case pause(TaskSelection)
    case resume(TaskSelection)
    case cancel(TaskSelection)
    case retry(TaskSelection)
    /// Limits the downloads of all tasks together, or each of some tasks.
    case limit(RateSchedule, TaskSelection?)
    /// Waits until the tasks have ended.
    case wait(TaskSelection)
    case stop
    /// Prints events as they come.
    case events
    /// Prints ended tasks that a filter shows.
    case history(String)

    /// The order of a command with its operands; nil for a command that is none.
    init?(_ command: ProgramCommand?, _ operands: [String]) throws(UsageError) {
        switch command {
        case .add: self = .add
        case .status: self = .status(try TaskSelection(operands, of: .status) ?? .all)
        case .wait: self = .wait(try TaskSelection(operands, of: .wait) ?? .all)
        case .pause: self = .pause(try Self.tasks(operands, of: .pause))
        case .resume: self = .resume(try Self.tasks(operands, of: .resume))
        case .cancel: self = .cancel(try Self.tasks(operands, of: .cancel))
        case .retry: self = .retry(try Self.tasks(operands, of: .retry))
        case .limit:
            guard let rate = operands.first else { throw UsageError(argument: "limit", ServiceUsage.limitNeedsRate) }
            self = .limit(
                try ValueParser.rates(rate, label: "limit"),
                try TaskSelection(Array(operands.dropFirst()), of: .limit))
        case .history:
            let filter = operands.joined(separator: " ")
            if let problem = HistoryFilter(filter).problem {
                throw UsageError(argument: "history", problem.string)
            }
            self = .history(filter)
        case .stop, .events:
            guard operands.isEmpty else {
                throw UsageError(argument: command?.rawValue ?? "", ServiceUsage.takesNoOperands)
            }
            self = command == .stop ? .stop : .events
        case .download, .upload, .request, .aria2c, .parts, .doctor, .demo, .completions, .help, .serve, nil:
            return nil
        }
    }

    /// Whether it tells what the service found when it opened the session.
    var hearsNotices: Bool {
        switch self {
        case .add, .status: true
        default: false
        }
    }

    private static func tasks(_ operands: [String], of command: ProgramCommand) throws(UsageError) -> TaskSelection {
        guard let tasks = try TaskSelection(operands, of: command) else {
            throw UsageError(argument: command.rawValue, ServiceUsage.needsTasks)
        }
        return tasks
    }
}
