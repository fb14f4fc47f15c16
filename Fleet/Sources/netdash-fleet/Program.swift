internal import FleetQueue

/// The program: finds the command, runs it, and says what went wrong.
enum Program {
    /// Runs a command line and returns the exit code; a refused address comes before everything else.
    static func run(_ words: [String], refusal: FleetError?) -> Int32 {
        do throws(FleetError) {
            if let refusal { throw refusal }
            guard let name = words.first, !["-h", "--help", "help"].contains(name) else {
                try Output.standard.write(HelpPage.all(FleetCommand.table))
                try Output.standard.flush()
                return words.isEmpty ? ExitCode.usage : ExitCode.success
            }
            guard !["-V", "--version"].contains(name) else {
                try Output.standard.write(line: ProgramHelp.version)
                try Output.standard.flush()
                return ExitCode.success
            }
            guard let command = FleetCommand.table.first(where: { $0.name == name }) else {
                throw FleetError(.usage, CommandErrors.unknownCommand(name))
            }
            guard !words.contains("--help") else {
                try Output.standard.write(HelpPage.command(command))
                try Output.standard.flush()
                return ExitCode.success
            }
            let code = try command.run(Arguments(words.dropFirst(), of: command))
            try Output.standard.flush()
            return code
        } catch {
            warn(error.text)
            return ExitCode.of(error)
        }
    }

    /// Writes a line to standard error.
    static func warn(_ text: String) {
        let output = Output(descriptor: 2)
        // Without standard error there is no other place for it.
        try? output.write("netdash-fleet: " + text + "\n")
        try? output.flush()
    }
}

/// The statuses that the program ends with, the same as netdash's.
enum ExitCode {
    static let success: Int32 = 0
    static let jobRefused: Int32 = 1
    static let usage: Int32 = 2
    static let file: Int32 = 3
    static let away: Int32 = 4

    static func of(_ error: FleetError) -> Int32 {
        switch error.code {
        case .usage: usage
        case .file: file
        case .away: away
        case .conflict, .interrupted, .duplicate, .noQueue, .otherSchema, .otherQueue, .refused: jobRefused
        }
    }
}
