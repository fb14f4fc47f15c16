import Dashboard

/// Why a file cannot be used, in words that follow an argument.
enum FileErrors {
    static let outIsJSON = "out=- cannot be combined with --json; name a file"

    static func unreadable(_ path: String, _ reason: String) -> String { "cannot read \"\(path)\": \(reason)" }

    static func unwritable(_ path: String, _ reason: String) -> String { "cannot write \"\(path)\": \(reason)" }

    static func folder(_ path: String) -> String { "\"\(path)\" is a folder; name a file" }

    static func notFolder(_ path: String) -> String { "\"\(path)\" is not a folder" }

    // MARK: - Lists

    static func unreadable(list path: String, _ mebibytes: Int) -> String {
        "\"\(path)\" is unreadable or larger than \(mebibytes) MiB"
    }

    static func ignored(_ list: SafeText, _ keys: SafeText) -> SafeText { "\(list): ignored options: \(keys)" }

    /// The sentence about files of a Metalink that are not verified although it has digests for them; nil for none.
    static func unverified(of list: String, _ files: [String]) -> SafeText? {
        guard let first = files.first else { return nil }
        let (list, file) = (SafeText(untrusted: list), SafeText(untrusted: first))
        return files.count > 1 ? unverified(list, file, more: files.count - 1) : unverified(list, file)
    }

    static func unverified(_ list: SafeText, _ file: SafeText) -> SafeText {
        "\(list): no checksum of \(file); to verify it add --checksums FILE"
    }

    static func unverified(_ list: SafeText, _ file: SafeText, more: Int) -> SafeText {
        "\(list): no checksum of \(file) and \(more) more; to verify them add --checksums FILE"
    }

    // MARK: - Output

    static func unwritable(report output: String, _ reason: String) -> String { "cannot write \(output): \(reason)" }

    static func closed(_ output: String) -> String { "\(output) closed (broken pipe)" }

    static func logEnds(_ reason: SafeText) -> SafeText { "\(reason); the log ends there" }

    static let standardOutput = "standard output"
    static let standardError = "standard error"
}
