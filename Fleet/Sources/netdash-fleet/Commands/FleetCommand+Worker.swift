internal import FleetQueue
internal import FleetTransfers
internal import Foundation

extension FleetCommand {
    static let worker = FleetCommand(
        name: "worker", summary: "download the queue's jobs until a signal (SIGTERM: finish; twice: park)",
        options: [
            FleetOption(name: "--jobs", short: "-j", value: "N", summary: "downloads at once (8)"),
            FleetOption(name: "--max-per-host", value: "N", summary: "downloads at once of one host, of this worker"),
            FleetOption(name: "--directory", short: "-d", value: "DIR", summary: "folder of all files (current)"),
            FleetOption(name: "--drain", summary: "end when no job waits or runs any more"),
            FleetOption(name: "--lease", value: "TIME", summary: "silence after which others get the jobs (60s)"),
            FleetOption(name: "--name", value: "NAME", summary: "name in the queue (host, process and a number)"),
            FleetOption(
                name: "--secrets", value: "LIST",
                summary: "secrets that jobs may use: env:NAME, file:PATH, file:FOLDER/, cmd:/PROGRAM, with =HOST"),
        ]
    ) { (arguments: Arguments) throws(FleetError) in
        let slots = try arguments.count("--jobs") ?? 8
        let lease = try arguments.seconds("--lease") ?? 60
        guard lease >= 3 else { throw FleetError(.usage, CommandErrors.shortLease) }
        let root = try folder(arguments["--directory"] ?? ".")
        let bell = try Bell()
        let orders = try SignalOrders()
        let runner = SessionRunner(
            root: root, slots: slots, policy: try SecretPolicy(arguments["--secrets"] ?? ""),
            environment: ProcessInfo.processInfo.environment, bell: bell)
        let identity = WorkerIdentity(
            name: arguments["--name"] ?? name(), slots: slots, perHost: try arguments.count("--max-per-host"),
            lease: lease)
        let worker = FleetWorker(
            try arguments.address, as: identity, runner: runner, bell: bell, wakers: [orders.descriptor],
            say: Program.warn)
        let usual: FleetWorker.Order = arguments.has("--drain") ? .drain : .work
        try worker.run { orders.order(else: usual) }
        return ExitCode.success
    }

    /// The absolute path of a folder in which this process may write.
    private static func folder(_ path: String) throws(FleetError) -> String {
        let resolved = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        guard access(resolved, W_OK | X_OK) == 0 else {
            throw FleetError(.file, CommandErrors.badFolder(PostgresText.printable(path)))
        }
        return resolved.hasSuffix("/") ? String(resolved.dropLast()) : resolved
    }

    private static func name() -> String {
        let number = UInt32.random(in: 0...UInt32.max)
        return "\(ProcessInfo.processInfo.hostName):\(getpid()):\(String(number, radix: 16))"
    }
}
