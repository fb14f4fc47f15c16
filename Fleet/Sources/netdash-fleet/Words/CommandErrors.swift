/// The texts of errors of the command line.
enum CommandErrors {
    static func unknownCommand(_ name: String) -> String { "Unknown command \(name); see netdash-fleet help" }
    static func unknownOption(_ name: String, command: String) -> String {
        "Unknown option \(name); see netdash-fleet \(command) --help"
    }
    static func missingValue(_ name: String) -> String { "\(name) needs a value" }
    static func emptyValue(_ name: String) -> String { "\(name): the value is empty; write one or leave \(name) out" }
    static func noValueTaken(_ name: String) -> String { "\(name) takes no value" }
    static func missingOperand(_ name: String, command: String) -> String {
        "\(name) is missing; see netdash-fleet \(command) --help"
    }
    static func extraOperand(_ word: String) -> String { "Unexpected argument \(word)" }
    static func badValue(_ name: String, _ allowed: [String]) -> String {
        "\(name): write one of \(allowed.joined(separator: ", "))"
    }
    static func badCount(_ name: String) -> String { "\(name): write a number from 1 to 10000" }
    static let shortLease = "--lease: write at least 3s"
    static func badFolder(_ path: String) -> String { "\(path) is not a folder that this worker can write" }
    static let noSpool = "-d s3://…: write --spool DIR, a folder on a local disk for files on their way"
    static let needlessSpool = "--spool: it is for -d s3://BUCKET alone"
    static func badDuration(_ name: String) -> String {
        "\(name): write a time with its unit, such as 30s, 10m, 12h or 7d"
    }
    static func unwritable(_ reason: String) -> String { "Cannot write standard output: \(reason)" }
    static func moreRefused(_ count: Int) -> String { "\(count) more refused" }
}
