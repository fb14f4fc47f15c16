/// The commands for a service, which other windows and scripts share.
extension ProgramCommand {
    /// What help and the manual page say about such a command.
    struct ServiceRecord: Sendable {
        var operands = ""
        var summary: String
        var explanation: String
        var examples: [Example]
    }

    private static let tasks = "TASK..."

    /// The record of a service's command; empty for a command that needs no service.
    var serviceRecord: ServiceRecord {
        Self.serviceRecords[self] ?? ServiceRecord(summary: "", explanation: "", examples: [])
    }

    /// Whether it is for a running service.
    var isForService: Bool { Self.serviceRecords[self] != nil }

    private static let serviceRecords: [ProgramCommand: ServiceRecord] = [
        .serve: ServiceRecord(
            summary: "run a session in the background, without a window",
            explanation: """
                Runs the tasks of a saved session until it is stopped. Windows attach with netdash, scripts use the \
                commands below. It listens on a Unix socket that only its user can reach. --idle-exit ends it some \
                time after the last moving task and window. --watch takes tasks from files that appear in a folder, and \
                options of a download apply to them.
                """,
            examples: [
                Example(line: "netdash serve", meaning: "Serves the default session; netdash then opens a window."),
                Example(
                    line: "netdash serve --session nightly --idle-exit 60",
                    meaning: "Serves another session, and ends a minute after the last task."),
                Example(
                    line: "netdash serve --watch ~/Drop -d ~/Downloads",
                    meaning: "Downloads what lists and links in a folder name."),
                Example(
                    line: "netdash serve --watch ~/Drop -H 'X-Team: 7' --if-exists skip",
                    meaning: "Does so with a header field, and skips files that are there."),
                Example(
                    line: "netdash serve --rpc --rpc-allow-origin http://localhost:8000",
                    meaning: "Lets a web page for aria2 that this machine serves add and show tasks."),
            ]),
        .add: ServiceRecord(
            operands: "URL...", summary: "add downloads to a running service",
            explanation: """
                Adds downloads to the service of the session and prints their numbers. It takes the options and lists \
                of a download. Relative paths start at the folder it runs in. It exits 3 if a full disk did not save the tasks.
                """,
            examples: [
                Example(
                    line: "netdash add -d ~/Downloads https://example.com/disk.iso",
                    meaning: "Adds a download and prints its number."),
                Example(line: "find-urls | netdash add -i -", meaning: "Adds the URLs of another command."),
            ]),
        .status: ServiceRecord(
            operands: "[TASK...]", summary: "list the tasks of a running service",
            explanation: """
                Prints a line for each task and a summary. A TASK is a number (3), a range (3-7), a name ('*.iso'), \
                a tag (tag=night) or a condition (state:failed). Numbers and names add up; tags and conditions narrow \
                them; of several states, kinds or tags one is enough. With --json one object is printed.
                """,
            examples: [
                Example(line: "netdash status", meaning: "Lists all tasks."),
                Example(
                    line: "netdash status --json state:failed", meaning: "Prints the failed tasks as one JSON object."),
            ]),
        .pause: ServiceRecord(
            operands: tasks, summary: "pause tasks of a running service",
            explanation: "Pauses tasks by number, name, tag or condition, or all. Paused tasks keep what they have.",
            examples: [
                Example(line: "netdash pause 3-7", meaning: "Pauses the tasks 3 to 7."),
                Example(
                    line: "netdash pause '*.iso' host:example.com", meaning: "Pauses the images from one server."),
            ]),
        .resume: ServiceRecord(
            operands: tasks, summary: "resume paused tasks of a running service",
            explanation: "Resumes paused tasks by number, name, tag or condition, or all.",
            examples: [Example(line: "netdash resume all", meaning: "Resumes every paused task.")]),
        .cancel: ServiceRecord(
            operands: tasks, summary: "cancel tasks of a running service",
            explanation: "Cancels tasks by number, name, tag or condition, or all. Partial files stay.",
            examples: [
                Example(line: "netdash cancel host:example.com", meaning: "Cancels the tasks of a server."),
                Example(line: "netdash cancel tag=night", meaning: "Cancels the tasks with this tag."),
            ]),
        .retry: ServiceRecord(
            operands: tasks, summary: "retry failed and cancelled tasks of a running service",
            explanation: "Starts failed and cancelled tasks again, by number, name, tag or condition, or all.",
            examples: [Example(line: "netdash retry all", meaning: "Retries every failed task.")]),
        .limit: ServiceRecord(
            operands: "RATE [TASK...]", summary: "limit the download speed of a running service",
            explanation: """
                Limits all downloads together, or each of some tasks: 512k, 2M or off. A timetable such as \
                08:00,512k 18:00,off is one RATE in quotes.
                """,
            examples: [
                Example(line: "netdash limit 2M", meaning: "Limits all downloads together to 2 MiB/s."),
                Example(line: "netdash limit 100k 3", meaning: "Limits task 3."),
            ]),
        .wait: ServiceRecord(
            operands: "[TASK...]", summary: "wait for tasks of a running service",
            explanation: """
                Waits until the tasks, or all of them, have ended. It exits as a run with these tasks would. \
                Where only paused tasks are left, it says so and goes on waiting.
                """,
            examples: [Example(line: "netdash wait 3", meaning: "Waits for task 3; exits 0 if it is done.")]),
        .stop: ServiceRecord(
            summary: "stop a running service",
            explanation:
                "Ends the service of the session. Its tasks keep their partial files and resume on next start.",
            examples: [Example(line: "netdash stop", meaning: "Stops the service of the default session.")]),
        .events: ServiceRecord(
            summary: "print the events of a running service as JSON",
            explanation: "Prints one JSON object per event, as --json does, until the service ends.",
            examples: [Example(line: "netdash events >events.jsonl", meaning: "Saves the events of a service.")]),
        .history: ServiceRecord(
            operands: "[FILTER]", summary: "list ended tasks of all runs",
            explanation: """
                Prints the latest 10,000 ended tasks of a saved session, newest first, with the sums of each day. It \
                needs no running service. FILTER is a filter of the dashboard, such as today, 2026-11-28, age:<7d, \
                host:NAME or error:TEXT. With --json each task is an object of one line.
                """,
            examples: [
                Example(line: "netdash history host:example.com", meaning: "Lists the ended tasks of a server."),
                Example(line: "netdash history --json failed", meaning: "Prints the failures as JSON lines."),
            ]),
    ]
}
