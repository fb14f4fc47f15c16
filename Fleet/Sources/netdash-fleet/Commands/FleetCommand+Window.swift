internal import FleetQueue
internal import FleetWindow
internal import Foundation

extension FleetCommand {
    static let window = FleetCommand(
        name: "window", summary: "show the queue to dashboards: netdash --session NAME attaches",
        options: [FleetOption(name: "--session", value: "NAME", summary: "name of the session (fleet)")]
    ) { (arguments: Arguments) throws(FleetError) in
        try WindowProgram.run(
            try arguments.address, session: arguments["--session"] ?? WindowProgram.usualSession,
            environment: ProcessInfo.processInfo.environment, say: Program.warn)
        return ExitCode.success
    }
}
