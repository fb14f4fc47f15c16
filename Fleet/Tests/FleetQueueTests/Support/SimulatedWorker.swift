import Foundation
import Testing

@testable import FleetQueue

/// A worker in a process of its own, which claims and reports without transferring.
final class SimulatedWorker {
    let process: ChildProcess

    /// `program` runs it, such as one that changes its clock.
    init(
        _ name: String, on queue: TestQueue, slots: Int = 4, lease: Double = 60, milliseconds: Int = 0,
        folder: String = "-", drains: Bool = true, through program: [String] = [], variables: [String: String] = [:]
    ) throws {
        let words =
            program + [
                ChildProcess.path(of: "FleetSimulator"), name, "\(slots)", "\(lease)", "\(milliseconds)", folder,
                drains ? "drain" : "serve",
            ]
        var environment = queue.environment.merging(variables) { $1 }
        // No machine's clock of the time since its start is wrong by an hour.
        environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
        environment["DONT_FAKE_MONOTONIC"] = "1"
        process = try ChildProcess(words[0], Array(words.dropFirst()), environment: environment)
    }

    deinit { process.send(SIGCONT) }
}

/// A folder of simulated files, with the log of what placed them.
struct SimulatedFolder {
    let path: String

    init() throws {
        path = "/tmp/fleet-files-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        Cleanup.note(folder: path)
    }

    /// The number of log lines with an outcome: placed, seen or failed.
    func count(_ outcome: String) -> Int {
        let log = (try? String(contentsOfFile: path + "/log", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").count { $0.hasSuffix(" " + outcome) }
    }

    /// The number of files, without parts and the log.
    var files: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.count { !$0.hasPrefix(".") && $0 != "log" }
    }
}
