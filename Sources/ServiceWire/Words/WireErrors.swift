import SessionSupport
import TransferValues

/// The sentences with which a service and its clients refuse each other.
package enum WireErrors {
    static let tooManyConnections = "The service has too many connections; close a window"
    static let malformed = "The service does not understand this program; update the older of both"
    static let tooLong = "The message is too long for the service"
    static let jobTooLong: SafeText = "The task is too long for the service; let its body be a file"

    static func otherVersion(service: String, client: String, session: String?) -> String {
        let name = SafeText(untrusted: session ?? SessionLines.defaultSession)
        let stop = SessionLines.command("stop", name).string
        return "The service runs netdash \(service), this is \(client); end it with `\(stop)` and start again"
    }

    package static let silent = "The service does not answer"
    package static func hangs(_ process: Int32) -> String { "\(silent); if it hangs: kill -9 \(process)" }
    static let stopped = "The service was stopped"
    static let lost = "Connection to the service lost"
    static let notStarted = "No service runs for this session; start one with `netdash serve`"
    static func unsafeFolder(_ path: String) -> String { "Folder \(path) must belong to you, with mode 0700" }
    static func unusable(_ path: String, _ reason: String) -> String { "Cannot use the socket \(path): \(reason)" }
    static let inUse = "A service of this session runs already"
    static let foreign = "The socket belongs to another user's process"
}
