internal import FleetQueue
internal import FleetTransfers
internal import Foundation

extension FleetCommand {
    static let worker = FleetCommand(
        name: "worker", summary: "download the queue's jobs until a signal (SIGTERM: finish; twice: park)",
        options: [
            FleetOption(name: "--jobs", short: "-j", value: "N", summary: "downloads at once (8)"),
            FleetOption(name: "--max-per-host", value: "N", summary: "downloads at once of one host, of this worker"),
            FleetOption(
                name: "--directory", short: "-d", value: "DIR",
                summary: "folder of all files (current), or s3://BUCKET/PREFIX"),
            FleetOption(
                name: "--spool", value: "DIR", summary: "folder on a local disk for files on their way to s3://"),
            FleetOption(name: "--drain", summary: "end when no job waits or runs any more"),
            FleetOption(name: "--lease", value: "TIME", summary: "silence after which others get the jobs (60s)"),
            FleetOption(name: "--name", value: "NAME", summary: "name in the queue (host, process and a number)"),
            FleetOption(
                name: "--secrets", value: "LIST",
                summary: "secrets that jobs may use: env:NAME, file:PATH, file:FOLDER/, cmd:/PROGRAM, with =HOST",
                mayBeEmpty: true),
        ]
    ) { (arguments: Arguments) throws(FleetError) in
        let slots = try arguments.count("--jobs") ?? 8
        let lease = try arguments.seconds("--lease") ?? 60
        guard lease >= 3 else { throw FleetError(.usage, CommandErrors.shortLease) }
        let bell = try Bell()
        let runner = try runner(arguments, slots: slots, bell: bell)
        let orders = try SignalOrders()
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

    /// What carries out the jobs: into a folder, or into a bucket by a spool.
    private static func runner(
        _ arguments: Arguments, slots: Int, bell: Bell
    ) throws(FleetError) -> any TransferRunner {
        let policy = try SecretPolicy(arguments["--secrets"] ?? "")
        let environment = ProcessInfo.processInfo.environment
        let target = arguments["--directory"] ?? "."
        guard target.hasPrefix(ObjectStore.scheme) else {
            guard !arguments.has("--spool") else { throw FleetError(.usage, CommandErrors.needlessSpool) }
            return SessionRunner(
                root: try folder(target), slots: slots, policy: policy, environment: environment, bell: bell)
        }
        guard let spool = arguments["--spool"] else { throw FleetError(.usage, CommandErrors.noSpool) }
        return ObjectRunner(
            store: try ObjectStore(target, environment: environment), spool: try folder(spool), slots: slots,
            policy: policy, environment: environment, bell: bell)
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
