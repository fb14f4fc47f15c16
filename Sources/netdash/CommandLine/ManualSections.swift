import Dashboard

/// The sections of the manual page that are made from the tables of commands, options and variables, in the language of
/// man pages.
enum ManualSections {
    /// The lines of the section SYNOPSIS.
    static func synopsis() -> String {
        let lines = ["netdash [OPTIONS]"] + ProgramCommand.allCases.map(\.synopsis)
        // A request for each line, because the words would else be filled up to paragraphs.
        return lines.map { ManualText.escaped($0) + "\n" }.joined(separator: ".br\n")
    }

    /// The section on commands: what each does, and which of the options it takes.
    static func commands() -> String {
        ProgramCommand.allCases.map { command in
            let options = command.options.filter { !$0.isQuestion }.map { bold($0.spelling) }
            let taken = options.isEmpty ? "" : ".br\nOptions: " + options.joined(separator: ", ") + ".\n"
            return ".TP\n\(bold(command.rawValue))\n\(sentences(command.explanation))\n\(taken)"
        }.joined()
    }

    /// The section on options.
    static func options() -> String {
        CommandLineOption.allCases.map { option in
            let names = option.spellings.map(bold).joined(separator: ", ")
            let value = option.valueName.map { " \\fI\(ManualText.escaped($0))\\fR" } ?? ""
            return ".TP\n\(names)\(value)\n\(ManualText.escaped(option.summary))\n"
        }.joined()
    }

    /// The section of examples.
    static func examples() -> String {
        ProgramCommand.allCases.flatMap(\.examples).map { example in
            // The line stays as it is typed.
            ".TP\n\(bold(example.line).replacing(" ", with: "\\ "))\n\(ManualText.escaped(example.meaning))\n"
        }.joined()
    }

    /// The facts that hook commands are given.
    static func hookFacts() -> String {
        HookFact.allCases.map { fact in
            ".TP\n\(bold(fact.variable)), \\fI\(fact.rawValue)\\fR\n\(ManualText.escaped(fact.meaning))\n"
        }.joined()
    }

    /// The section on variables of the environment.
    static func environment() -> String {
        EnvironmentVariable.all.map { variable in
            let names = variable.names.map(bold).joined(separator: ", ")
            return ".TP\n\(names)\n\(ManualText.escaped(variable.meaning))\n"
        }.joined()
    }

    /// A word in bold type, which is not hyphenated.
    private static func bold(_ text: String) -> String { "\\fB\\%\(ManualText.escaped(text))\\fR" }

    /// Text with each sentence on a line of its own, after which the formatter leaves the blank that it wants.
    private static func sentences(_ text: String) -> String {
        text.replacing(". ", with: ".\n").split(separator: "\n").map { ManualText.escaped(String($0)) }
            .joined(separator: "\n")
    }
}
