import Dashboard
import SessionSupport

/// The transfers of curl's commands, one after another, and of its configuration files (`curl -K`).
enum CurlList {
    /// Words of one command or one part of a configuration, each with the number of its line.
    private struct Words {
        var texts: [String] = []
        var lines: [Int] = []
        var first: Int { lines.first ?? 1 }

        mutating func add(_ text: String, _ line: Int) {
            texts.append(text)
            lines.append(line)
        }
    }

    // MARK: - Commands

    /// Whether the first line that is no comment is a command.
    @Sendable static func beginsWithCommand(_ beginning: String) -> Bool {
        firstLine(beginning).map { CurlCommandReader.isCommand(String($0)) } ?? false
    }

    private static func firstLine(_ text: String) -> Substring? {
        text.split(separator: "\n").first { line in
            let text = line.drop { $0.isWhitespace }
            return !text.isEmpty && !text.hasPrefix("#")
        }
    }

    /// The jobs of commands; throws for the first line that is none.
    static func jobs(ofCommands file: ListDocument) throws(UsageError) -> [Job] {
        try refuse(file)
        var jobs: [Job] = []
        for command in CurlCommandList(try file.text()).commands {
            let label = "\(file.name):\(command.line)"
            guard CurlCommandReader.isCommand(command.text) else {
                throw UsageError(argument: label, CurlUsage.noCommand)
            }
            guard let words = ShellWords.split(command.text) else {
                throw UsageError(argument: label, CurlUsage.openQuote)
            }
            try add(words, command.line, command.text, file, to: &jobs)
        }
        return jobs
    }

    private static func add(
        _ words: [String], _ line: Int, _ command: String, _ file: ListDocument, to jobs: inout [Job]
    ) throws(UsageError) {
        if let name = CurlCommandReader.expansions(in: command).first {
            throw UsageError(argument: "\(file.name):\(line)", CurlUsage.expansion(name))
        }
        if CurlCommandReader.hasOtherBytes(in: command) {
            throw UsageError(argument: "\(file.name):\(line)", CurlUsage.otherBytes)
        }
        if let end = CurlCommandReader.end(of: command) {
            throw UsageError(argument: "\(file.name):\(line)", CurlUsage.textBehind(end))
        }
        var all = Words()
        for word in words.drop(while: { $0 == "$" || $0 == ">" }).dropFirst() { all.add(word, line) }
        try add(all, file, to: &jobs)
    }

    // MARK: - Configuration

    /// Whether the first line that is no comment is a setting, such as `url = "…"` or `--location`.
    @Sendable static func beginsWithSetting(_ beginning: String) -> Bool {
        guard let line = firstLine(beginning) else { return false }
        if line.hasPrefix("-") { return CurlCommandReader.isOption(String(line.prefix { !" =:\t".contains($0) })) }
        let name = line.prefix { $0.isLetter || $0 == "-" || $0.isNumber }
        let rest = line.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
        let isSet = rest.hasPrefix("=") || rest.hasPrefix(": ") || rest.hasPrefix("\"")
        return (isSet || rest.isEmpty) && CurlCommandReader.isOption("--" + name)
    }

    /// The jobs of a configuration file; `next` separates requests with options of their own.
    ///
    /// As in curl, an option without its value is left out, and told.
    static func contents(ofConfiguration file: ListDocument) throws(UsageError) -> ListFormat.Contents {
        try refuse(file)
        var words = Words()
        var contents = ListFormat.Contents(jobs: [])
        for (index, line) in try file.text().split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = ByteText.trimmed(line)
            if text.isEmpty || text.hasPrefix("#") { continue }
            let label = "\(file.name):\(index + 1)"
            let setting = try Setting(text, label)
            if let value = setting.value {
                words.add(setting.word, index + 1)
                words.add(value, index + 1)
            } else if CurlCommandReader.hasValueBehind(setting.word) {
                contents.remarks.append(
                    CurlUsage.leftOut(SafeText(untrusted: label), SafeText(untrusted: setting.word)))
            } else {
                words.add(setting.word, index + 1)
            }
        }
        try add(words, file, to: &contents.jobs)
        return contents
    }

    /// A line of a configuration.
    private struct Setting {
        /// The option with its dashes.
        let word: String
        /// The value behind it; nil without one.
        let value: String?

        init(_ text: String, _ label: String) throws(UsageError) {
            // As in curl, only a blank ends a word with a dash.
            let isLetter = text.hasPrefix("-") && !text.hasPrefix("--")
            let name = text.prefix { $0 != " " && $0 != "\t" && (isLetter || $0 != "=" && $0 != ":") }
            guard !name.isEmpty else { throw UsageError(argument: label, CurlUsage.noOption) }
            word = name.hasPrefix("-") ? String(name) : "--" + name
            var rest = text.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
            if !isLetter, rest.hasPrefix("=") || rest.hasPrefix(":") {
                rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            }
            let takesValue = CurlCommandReader.hasValueBehind(word)
            guard !rest.isEmpty, takesValue || !rest.hasPrefix("#") else {
                value = nil
                return
            }
            guard takesValue || !isLetter && !CurlCommandReader.isOption(word) else {
                throw UsageError(argument: label, CurlUsage.takesNoValue(word))
            }
            value = try CurlList.value(rest, label)
        }
    }

    /// A value: a word, or a text in quotes with backslashes; only a comment may follow.
    private static func value(_ text: Substring, _ label: String) throws(UsageError) -> String {
        var rest = text
        var value = ""
        if rest.first == "\"" {
            rest = rest.dropFirst()
            var isClosed = false
            while let character = rest.popFirst() {
                if character == "\"" {
                    isClosed = true
                    break
                }
                guard character == "\\", let next = rest.popFirst() else {
                    value.append(character)
                    continue
                }
                value.append(["t": "\t", "n": "\n", "r": "\r", "v": "\u{0B}"][next] ?? next)
            }
            guard isClosed else { throw UsageError(argument: label, CurlUsage.openQuote) }
        } else {
            value = String(rest.prefix { $0 != " " && $0 != "\t" })
            rest = rest.dropFirst(value.count)
        }
        let left = rest.drop { $0 == " " || $0 == "\t" }
        guard left.isEmpty || left.hasPrefix("#") else { throw UsageError(argument: label, CurlUsage.textBehindValue) }
        return value
    }

    // MARK: - Jobs

    /// Refuses a list from a server: its options could read this user's files and send them anywhere.
    private static func refuse(_ file: ListDocument) throws(UsageError) {
        guard file.source == .user else { throw UsageError(argument: file.name, CurlUsage.ofServer) }
    }

    private static func add(_ words: Words, _ file: ListDocument, to jobs: inout [Job]) throws(UsageError) {
        var part = Words()
        for (text, line) in zip(words.texts, words.lines) {
            guard text == "--next" || text == "-:" else {
                part.add(text, line)
                continue
            }
            try finish(part, file, to: &jobs)
            part = Words()
        }
        try finish(part, file, to: &jobs)
    }

    private static func finish(_ words: Words, _ file: ListDocument, to jobs: inout [Job]) throws(UsageError) {
        guard !words.texts.isEmpty else { return }
        guard let reading = CurlCommandReader.read(words: words.texts, printed: true) else {
            throw UsageError(argument: "\(file.name):\(words.first)", CurlUsage.noURL)
        }
        if let option = reading.unknown.first(where: { !reading.isOfURLs($0) }) {
            let line = zip(words.texts, words.lines).first { $0.0 == option || $0.0.hasPrefix(option) }?.1
            throw UsageError(argument: "\(file.name):\(line ?? words.first)", CurlUsage.unknown(option))
        }
        for found in [reading.job] + reading.others {
            let line = zip(words.texts, words.lines).first { found.url.hasSuffix($0.0) }?.1 ?? words.first
            let label = "\(file.name):\(line)"
            var template: NameTemplate?
            if let name = found.output.name { template = try NameTemplate(name, label: label) }
            for (url, values) in try URLGlob.expansions(of: found.url, label: label, singles: true) {
                var job = merged(found, over: file.defaults)
                job.url = try URLText.checked(url, label: label)
                if let template {
                    job.output = template.output(for: url, values, number: jobs.count + 1)
                } else if let name = found.output.name {
                    job.output = try JobDestination.output(named: name, label: label)
                } else if job.kind == .download, let template = file.template {
                    job.output = template.output(for: url, values, number: jobs.count + 1)
                }
                try ListKey.check(job, label: label)
                jobs.append(job.namedAfterFile)
            }
        }
    }

    /// A command's job with the options of the run where it has none of its own.
    static func merged(_ job: Job, over defaults: Job) -> Job {
        let own = job.settings + [job.settingOfURL].compactMap(\.self)
        var result = defaults.without(defaults.settings) { far in own.contains { $0.displaces(far) } }
        (result.kind, result.method, result.body) = (job.kind, job.method, job.body)
        result.printsHead = job.printsHead
        if let folder = job.directory { result.directory = folder }
        for field in job.headers { result.headers.append(field) }
        // A command decides about redirects itself.
        result.options.removeAll { $0.option.matter == JobOption.keepsRedirects.matter }
        for value in job.options { result.options.set(value) }
        result.rates = job.rates ?? defaults.rates
        return result
    }
}
