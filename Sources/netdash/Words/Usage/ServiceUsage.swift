/// Mistakes in commands for a running service.
enum ServiceUsage {
    static let needsTasks = "name tasks by number (3, 3-7), name ('*.iso'), tag=TAG, condition (state:failed), or all"
    static let emptyTask = "an empty word names no task; every task is: all"
    static let takesNoOperands = "takes no operands"
    static let limitNeedsRate = "needs a rate such as 2M, or off"
    static let serveTakesNoURL = "takes no URL; add tasks with netdash add URL"
    static let serveNeedsSession = "needs a saved session"
    static let addNeedsURL = "needs a URL or -i LIST"
    static let streams = "standard input and output belong to this command; use a file"
}
