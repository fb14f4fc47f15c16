import SessionSupport

/// What can be told of a text, and of single words, before a command is read.
extension CurlCommandReader {
    package static func isCommand(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace || $0 == "$" || $0 == ">" }
        let name = start.hasPrefix("curl.exe") ? start.dropFirst(8) : start.hasPrefix("curl") ? start.dropFirst(4) : ""
        return name.first.map { $0 == " " || $0.isWhitespace || $0 == "\\" || $0 == "^" } ?? false
    }

    /// The program of a command for a tool similar to curl; nil for curl itself and other text.
    package static func otherProgram(_ text: String) -> String? {
        let words = text.split(maxSplits: 3, whereSeparator: \.isWhitespace).drop { ["$", ">", "await"].contains($0) }
        guard let first = words.first else { return nil }
        guard !first.hasPrefix("fetch(") else { return "fetch" }
        // A browser's text for PowerShell sets the cookies first.
        let shells = ["Invoke-WebRequest", "Invoke-RestMethod"]
        if first.hasPrefix("$"), let name = shells.first(where: { text.contains($0) }) { return name }
        let others = ["wget", "wget2", "aria2c", "http", "https", "xh", "iwr", "irm"] + shells
        return words.count > 1 ? others.first { first == $0 } : nil
    }

    /// Expansions in a command that only a shell could do, such as `$NAME`; pasted text never passed through a shell.
    package static func expansions(in text: String) -> [String] {
        isCommand(text) ? ShellWords.read(command(text))?.expansions ?? [] : []
    }

    /// The operator behind which a command has something for a shell, such as `;`; nil without one.
    package static func end(of text: String) -> String? {
        isCommand(text) ? ShellWords.read(command(text))?.end : nil
    }

    /// Whether a command has bytes that are no text, which a shell would pass on.
    package static func hasOtherBytes(in text: String) -> Bool {
        isCommand(text) && ShellWords.read(command(text))?.hasOtherBytes == true
    }

    static func command(_ text: String) -> String {
        String(text.drop { $0.isWhitespace || $0 == "$" || $0 == ">" })
    }

    /// Whether a word is one of curl's options.
    package static func isOption(_ word: String) -> Bool {
        CurlOptions.option(named: word) != nil || CurlArguments.takesValue(word) || CurlArguments.isHarmless(word)
            || [
                "-f", "--fail", "-J", "--remote-header-name", "-G", "--get", "-I", "--head", "-L", "--location",
                "--no-location", "--compressed", "-O", "--next",
                "-:",
            ].contains(word)
    }

    /// Whether a word of a configuration has its value behind it; the last of several letters may have it attached.
    package static func hasValueBehind(_ word: String) -> Bool {
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return takesValue(word) }
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            if takesValue("-" + String(letter)) { return letters.isEmpty }
        }
        return false
    }

    static func takesValue(_ option: String) -> Bool {
        if let known = CurlOptions.option(named: option) { return !known.isSwitch }
        return CurlArguments.takesValue(option)
    }
}
