import Dashboard

/// Generates sections of the manual page in troff from the tables of commands, options and variables.
enum ManualSections {
    static func synopsis() -> String {
        let lines = ["netdash [OPTIONS]"] + ProgramCommand.allCases.map(\.synopsis)
        // One request per line, because troff would fill the words up to paragraphs.
        return lines.map { ManualText.escaped($0) + "\n" }.joined(separator: ".br\n")
    }

    /// The section on commands, with their options.
    static func commands() -> String {
        ProgramCommand.allCases.map { command in
            let options = command.options.filter { !$0.isQuestion }.map { bold($0.spelling) }
            let taken = options.isEmpty ? "" : ".br\nOptions: " + options.joined(separator: ", ") + ".\n"
            return ".TP\n\(bold(command.rawValue))\n\(sentences(command.explanation))\n\(taken)"
        }.joined()
    }

    static func options() -> String {
        CommandLineOption.allCases.map { option in
            let names = option.spellings.map(bold).joined(separator: ", ")
            let value = option.valueName.map { " \\fI\(ManualText.escaped($0))\\fR" } ?? ""
            return ".TP\n\(names)\(value)\n\(ManualText.escaped(option.summary))\n"
        }.joined()
    }

    /// The placeholders of file names.
    static func templates() -> String {
        NameTemplate.Field.allCases.map { field in
            ".TP\n\(bold("{\(field.rawValue)}"))\n\(ManualText.escaped(field.meaning))\n"
        }.joined()
    }

    static func examples() -> String {
        ProgramCommand.allCases.flatMap(\.examples).map { example in
            // The line must not be wrapped or hyphenated.
            ".TP\n\(bold(example.line).replacing(" ", with: "\\ "))\n\(ManualText.escaped(example.meaning))\n"
        }.joined()
    }

    /// The section on the facts for hook commands.
    static func hookFields() -> String {
        HookField.allCases.map { field in
            ".TP\n\(bold(field.variable)), \\fI\(field.rawValue)\\fR\n\(ManualText.escaped(field.meaning))\n"
        }.joined()
    }

    /// The section on environment variables.
    static func environment() -> String {
        EnvironmentVariable.all.map { variable in
            let names = variable.names.map(bold).joined(separator: ", ")
            return ".TP\n\(names)\n\(ManualText.escaped(variable.meaning))\n"
        }.joined()
    }

    /// A word in bold type without hyphenation.
    private static func bold(_ text: String) -> String { "\\fB\\%\(ManualText.escaped(text))\\fR" }

    /// Text with one sentence per line, so that troff sets the blanks between them.
    private static func sentences(_ text: String) -> String {
        text.replacing(". ", with: ".\n").split(separator: "\n").map { ManualText.escaped(String($0)) }
            .joined(separator: "\n")
    }
}
