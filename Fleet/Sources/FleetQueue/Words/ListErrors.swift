/// The texts of errors of lists.
package enum ListErrors {
    package static func badFolder(_ reason: String) -> String { "-d: \(reason)" }
    package static func unreadable(_ path: String, _ reason: String) -> String { "Cannot read \(path): \(reason)" }
    package static func refused(list: String, line: Int, _ reason: String) -> String { "\(list):\(line): \(reason)" }
}
