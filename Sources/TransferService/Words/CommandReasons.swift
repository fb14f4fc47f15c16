import SessionSupport

/// Why a command of the user gave nothing.
package enum CommandReasons {
    static func exitStatus(_ status: Int32) -> String { "exit status \(status)" }
    static func signal(_ number: Int32) -> String { "killed by signal \(number)" }
    static func noEnd(seconds: Int) -> String { "no end after \(seconds) s" }
    static func cause(_ cause: String, _ line: String) -> String { "\(cause): \(line)" }
    static func failed(_ cause: String) -> String { "command failed: \(cause)" }
    static let noLink = "expected a URL or header lines"
    static let noOutput = "command printed nothing"
}
