internal import FleetQueue

extension FleetCommand {
    static let initialise = FleetCommand(
        name: "init", summary: "create the queue's tables in an empty database",
        options: [FleetOption(name: "--grants", summary: "print the roles of writer, worker and reader as SQL instead")]
    ) { (arguments: Arguments) throws(FleetError) in
        if arguments.has("--grants") {
            try Output.standard.write(Grants.statements)
        } else {
            try FleetQueue.create(try arguments.address)
            try Output.standard.write(line: StatusLines.created)
        }
        return ExitCode.success
    }

    /// The most refused jobs that are named, with the ones whose destination belongs to another URL.
    private static let namedRefusals = 20

    static let add = FleetCommand(
        name: "add", operand: "LIST", summary: "add the jobs of a list (- reads standard input)",
        options: [
            FleetOption(name: "--directory", short: "-d", value: "DIR", summary: "folder below each worker's own"),
            FleetOption(name: "--tree", summary: "name files by host and path, not by the last part of the URL"),
        ]
    ) { (arguments: Arguments) throws(FleetError) in
        let path = arguments.operand ?? "-"
        let reader = try ListReader(folder: arguments["--directory"] ?? "", usesTree: arguments.has("--tree"))
        let list = try ListFile(path, reader: reader)
        let queue = try FleetQueue(try arguments.address, role: "add")
        let shown = PostgresText.printable(path)
        var named = 0
        let counts = try queue.add({ () throws(FleetError) in try list.next() }) { line, reason in
            guard named < namedRefusals else { return }
            named += 1
            Program.warn(ListErrors.refused(list: shown, line: line, reason))
        }
        let refused = counts.refused + counts.conflicting
        if refused > named { Program.warn(CommandErrors.moreRefused(refused - named)) }
        try Output.standard.write(line: StatusLines.added(counts))
        return refused > 0 ? ExitCode.jobRefused : ExitCode.success
    }

    static let status = FleetCommand(
        name: "status", summary: "show counts, hosts, workers and causes of dead jobs",
        options: [FleetOption(name: "--json", summary: "print them as one line of JSON")]
    ) { (arguments: Arguments) throws(FleetError) in
        let queue = try FleetQueue(try arguments.address, role: "status")
        if arguments.has("--json") {
            try Output.standard.write(line: try queue.statusJSON())
        } else {
            try Output.standard.write(line: StatusLines.status(try queue.status()))
        }
        return ExitCode.success
    }
}
