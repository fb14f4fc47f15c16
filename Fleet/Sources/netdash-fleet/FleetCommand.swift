internal import FleetQueue

/// A command of the program, as one record.
struct FleetCommand: Sendable {
    let name: String
    /// The name of its operand; nil without one.
    var operand: String?
    let summary: String
    var options: [FleetOption] = []
    let run: @Sendable (Arguments) throws(FleetError) -> Int32

    /// All commands, in the order of the help.
    static let table = [initialise, add] + workers + [status, retry, release, purge, export]

    #if FLEET_TRANSFERS
        private static let workers = [worker, window]
    #else
        private static let workers: [FleetCommand] = []
    #endif
}

/// An option of a command, as one record.
struct FleetOption: Sendable {
    /// The name with its dashes.
    let name: String
    var short: String?
    /// The name of its value; nil for a switch.
    var value: String?
    let summary: String
    /// Whether an empty value is the default, as an empty list is.
    var mayBeEmpty = false

    static let queue = FleetOption(
        name: "--queue", value: "URL", summary: "postgres://USER@HOST/DATABASE (libpq's environment: PGHOST, …)")
}
