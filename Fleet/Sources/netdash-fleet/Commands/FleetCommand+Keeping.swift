internal import FleetQueue

extension FleetCommand {
    static let retry = FleetCommand(
        name: "retry", summary: "return dead jobs to the queue",
        options: [
            FleetOption(name: "--state", value: "STATE", summary: "dead (the default) or cancelled"),
            FleetOption(name: "--host", value: "HOST", summary: "only jobs of this host"),
            FleetOption(name: "--cause", value: "TEXT", summary: "only jobs whose cause contains this"),
        ]
    ) { (arguments: Arguments) throws(FleetError) in
        let state = try arguments.state("--state", of: [.dead, .cancelled], else: .dead) ?? .dead
        let filter = RetryFilter(state: state.rawValue, host: arguments["--host"], cause: arguments["--cause"])
        let queue = try FleetQueue(try arguments.address, role: "retry")
        try Output.standard.write(line: StatusLines.retried(try queue.retry(filter)))
        return ExitCode.success
    }

    static let release = FleetCommand(
        name: "release", operand: "HOST", summary: "let workers ask a held host again, by its name in status"
    ) { (arguments: Arguments) throws(FleetError) in
        let host = arguments.operand ?? ""
        let queue = try FleetQueue(try arguments.address, role: "release")
        guard try queue.release(host) else {
            Program.warn(StatusLines.notHeld(PostgresText.printable(host)))
            return ExitCode.jobRefused
        }
        try Output.standard.write(line: StatusLines.released(PostgresText.printable(host)))
        return ExitCode.success
    }

    static let purge = FleetCommand(
        name: "purge", summary: "remove ended jobs from the queue (files stay)",
        options: [
            FleetOption(name: "--state", value: "STATE", summary: "done (the default), dead or cancelled"),
            FleetOption(name: "--older", value: "TIME", summary: "only jobs that ended before: 30s, 10m, 12h, 7d"),
        ]
    ) { (arguments: Arguments) throws(FleetError) in
        let state = try arguments.state("--state", of: [.done, .dead, .cancelled], else: .done) ?? .done
        let age = try arguments.seconds("--older") ?? 0
        let queue = try FleetQueue(try arguments.address, role: "purge")
        try Output.standard.write(line: StatusLines.purged(try queue.purge(state: state.rawValue, age: age)))
        return ExitCode.success
    }

    static let export = FleetCommand(
        name: "export", summary: "print jobs with their results, one per line",
        options: [
            FleetOption(name: "--format", value: "FORMAT", summary: "jsonl (the default) or csv"),
            FleetOption(name: "--state", value: "STATE", summary: "only jobs of this state"),
        ]
    ) { (arguments: Arguments) throws(FleetError) in
        let name = arguments["--format"] ?? ExportFormat.jsonLines.rawValue
        guard let format = ExportFormat(rawValue: name) else {
            throw FleetError(.usage, CommandErrors.badValue("--format", ["jsonl", "csv"]))
        }
        let state = try arguments.state("--state", of: JobState.allCases, else: nil)
        let queue = try FleetQueue(try arguments.address, role: "export")
        try queue.export(format, state: state) { (line: UnsafeRawBufferPointer) throws(FleetError) in
            try Output.standard.write(line)
        }
        return ExitCode.success
    }
}
