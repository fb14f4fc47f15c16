/// The texts of errors of the queue and its database.
package enum QueueErrors {
    package static func away(_ reason: String) -> String { "The queue's database is not available: \(reason)" }
    package static let readOnly =
        "The queue's database only reads (a standby); add target_session_attrs=read-write and both hosts to the URL"
    package static func refused(_ reason: String) -> String { "The database refused: \(reason)" }
    package static let noQueue = "This database has no queue; create one with netdash-fleet init"
    package static let hasQueue = "This database already has a queue"
    package static func otherSchema(_ found: String, known: Int) -> String {
        "The queue has \(found), but this program knows schema \(known); install the matching netdash-fleet"
    }
    package static let otherQueue =
        "The database now holds another queue than at the start; nothing was recorded there. Check the failover"
    package static func noAnswer(seconds: Int) -> String { "no answer within \(seconds) s" }
    package static func noSignals(_ reason: String) -> String { "Cannot handle signals: \(reason)" }
    package static func noPipe(_ reason: String) -> String { "Cannot create a pipe: \(reason)" }
    package static let unreadableStatus = "The status of the queue could not be read"
    package static let inputFailed = "the list could not be read"
    package static let closed = "the connection was closed"
    package static let noMemory = "out of memory"

    package static let malformedAddress =
        "The queue's URL is malformed; write postgres://USER@HOST:PORT/DATABASE, with % signs for special characters"
    package static let passwordInAddress =
        "The queue's URL must not contain a password, because ps shows it; use PGPASSWORD, or ~/.pgpass with mode 600"
    package static let oldLibrary = "libpq is older than version 12; install libpq5 of Debian 11 or later"
}
