import Dashboard
import Foundation
import SessionSupport
import TransferService

/// The history of a session, as lines or as JSON.
enum HistoryReport {
    /// The entries of a session on this machine, which needs no running service; newest first.
    ///
    /// Says what cannot be read; nil if that is all.
    static func entries(of session: String) -> [HistoryEntry]? {
        guard let folder = UserFolder.sessions(environment: ProcessInfo.processInfo.environment) else { return [] }
        let history = TransferHistory(session: session, folder: folder)
        let entries = history.entries()
        guard let problem = history.problem ?? history.damage else { return entries }
        StandardStreams.say("netdash: " + problem)
        return entries.isEmpty ? nil : entries
    }

    /// Prints what a filter shows, newest first: the sums of each day before its tasks, or an object for each task.
    static func print(_ entries: [HistoryEntry], filter: String, isJSON: Bool) -> ExitCode {
        let lines = HistoryState.items(of: HistoryPage(entries), filter: filter).compactMap { item in
            switch item {
            case .day(let day): isJSON ? nil : ControlLines.day(day).string
            case .end(let line): isJSON ? object(line) : ControlLines.end(line).string
            }
        }
        guard lines.isEmpty, !isJSON else { return StandardStreams.print(lines) }
        StandardStreams.say("netdash: " + ControlLines.noHistory)
        return .taskFailed
    }

    private static func object(_ line: HistoryLine) -> String {
        let entry = line.entry
        var object = JSONObjectWriter()
        object.add("endedAt", entry.endedAt)
        object.add("day", line.day.string)
        object.add("time", line.time.string)
        object.add("kind", entry.kind.rawValue)
        object.add("method", entry.method.string)
        object.add("state", entry.outcome.rawValue)
        object.add("name", entry.name.string)
        object.add("host", entry.host.string)
        object.add("url", entry.url.string)
        object.add("bytes", entry.bytes)
        object.add("milliseconds", entry.milliseconds)
        object.add("error", entry.reason?.string)
        return String(decoding: object.closed(), as: UTF8.self)
    }
}
