import SessionSupport

/// Filling the form from jobs and pasted text, and reading the values behind its fields.
extension AddForm {
    /// The text shown for a secret.
    static let mask = "•••"

    static func canRead(_ text: String) -> Bool {
        CurlCommandReader.isCommand(text) || !urls(in: text).isEmpty
    }

    /// Inserts pasted text: a curl command or URLs fill the form; anything else goes into the focused field.
    ///
    /// Returns a message for the user, if any.
    mutating func paste(_ text: String) -> SafeText? {
        if focus == .url, let program = CurlCommandReader.otherProgram(text) {
            return FormHints.otherProgram(SafeText(untrusted: program))
        }
        if focus == .url, let name = CurlCommandReader.expansions(in: text).first {
            return FormHints.shellVariable(SafeText(untrusted: name))
        }
        if focus == .url, CurlCommandReader.isCommand(text) {
            return fill(fromCommands: text)
        }
        let urls = AddForm.urls(in: text)
        guard focus == .url, let first = urls.first else {
            if focusTakesText { self[focus].insert(text) }
            return nil
        }
        self[.url] = TextField(first)
        furtherURLs = Array(urls.dropFirst())
        problem = nil
        let options = AddForm.optionLineCount(of: text)
        let others = AddForm.lineCount(of: text) - urls.count - options
        return Self.hints([
            options > 0 ? FormHints.ignoredOptionLines(options) : .empty,
            others > 0 ? FormHints.ignoredLines(others) : .empty,
        ])
    }

    private static func hints(_ parts: [SafeText]) -> SafeText? {
        let parts = parts.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(by: " · ")
    }

    /// Fills the form from the first of the curl commands; returns a message about what was left out, if any.
    private mutating func fill(fromCommands text: String) -> SafeText? {
        let commands = CurlCommandList(text).commands.filter { CurlCommandReader.isCommand($0.text) }
        let command = commands.count > 1 ? commands[0].text : text
        guard let reading = CurlCommandReader.read(command) else { return FormHints.unreadableCommand }
        func names(_ words: [String]) -> SafeText {
            words.prefix(6).map { SafeText(untrusted: $0) }.joined(by: ", ")
        }
        guard reading.bodyGaps.isEmpty else { return FormHints.refusedBody(names(reading.bodyGaps)) }
        fill(from: withDefaults(reading.job))
        let left = names(reading.unknown)
        return Self.hints([
            commands.count > 1 ? FormHints.ignoredCommands(commands.count - 1) : .empty,
            left.isEmpty ? .empty : FormHints.ignoredOptions(left),
        ])
    }

    /// A job from a curl command with defaults for name conflicts and partial files, which curl does not specify.
    private func withDefaults(_ job: Job) -> Job {
        var job = job
        job.ifExists = defaults.ifExists
        job.continues = defaults.continues
        job.usesHTTP2 = job.usesHTTP2 || defaults.usesHTTP2
        return job
    }

    /// Fills every field from a job; `showingFolder` writes a download's folder before its name.
    mutating func fill(from job: Job, showingFolder: Bool = false) {
        clear()
        kind = job.kind
        startsPaused = job.startsPaused
        continues = job.continues
        let headers = job.headers.map { header in
            header.name + ": " + (Redaction.hidesField(header.name) ? AddForm.mask : header.value)
        }
        self[.url] = TextField(Redaction.url(job.url))
        self[.method] = TextField(job.method ?? "")
        self[.headers] = TextField(headers.joined(separator: "; "))
        self[.options] = TextField(OptionLine.text(of: job, defaults: defaults))
        switch job.body {
        case .none: break
        case .text(let text): self[.body] = TextField(text)
        case .file(let path): self[.body] = TextField(kind == .upload ? path : "@" + path)
        case .formFile(let path): self[.body] = TextField("@" + path)
        case .standardInput: self[.body] = TextField("-")
        }
        if case .name(let name) = job.output { self[.name] = TextField(name) }
        if showingFolder, kind == .download, job.output != .standardOutput, job.directory != nil {
            let destination = JobDestination.resolve(job, defaultDirectory: nil)
            self[.name] = TextField(
                (destination.folder == "/" ? "" : destination.folder) + "/" + (destination.name ?? ""))
        }
        if let checksum = job.checksum {
            self[.checksum] = TextField(checksum.algorithm.rawValue + "=" + checksum.hex)
        }
        origin = Origin(
            job: job, url: self[.url].text, headers: self[.headers].text, options: self[.options].text,
            body: self[.body].text, name: self[.name].text
        )
    }

    /// Keeps the settings for another task, but clears the fields that belonged to the added one alone.
    mutating func beginAnother(after jobs: [Job]) {
        for field: Field in [.url, .body, .name, .checksum] { self[field] = TextField() }
        furtherURLs = []
        problem = nil
        added = AddForm.name(of: jobs)
        focus = .url
        origin?.url = ""
        origin?.body = ""
        origin?.name = ""
        origin?.job.url = ""
        origin?.job.body = .none
        origin?.job.output = .automatic
    }

    /// The words for added tasks: the name of one, the number of several.
    private static func name(of jobs: [Job]) -> SafeText {
        guard let job = jobs.first, jobs.count == 1 else { return CountLabels.tasks(jobs.count) }
        if case .name(let name) = job.output, !job.output.isFolder, let last = name.split(separator: "/").last {
            return SafeText(untrusted: String(last))
        }
        let url = Redaction.url(job.url)
        return SafeText(untrusted: ReadablePath.lastName(inURL: url) ?? url)
    }

    /// The URL behind the field.
    func trueURL(_ text: String) throws(Problem) -> String {
        if let origin, text == origin.url { return origin.job.url }
        guard let origin, origin.url != origin.job.url, text.contains(Redaction.mask) else {
            return try AddForm.completed(text)
        }
        guard let url = Redaction.restored(text, from: origin.job.url) else {
            throw Problem(field: .url, sentence: FormErrors.hiddenURL)
        }
        return try AddForm.completed(url)
    }

    /// The first field whose secret was not saved, so that it has to be entered again; nil without one.
    ///
    /// - Parameter lacksURL: whether stars in the URL stand for lost secrets.
    func lostSecret(lacksURL: Bool) -> Problem? {
        guard let job = origin?.job else { return nil }
        if lacksURL, job.url.contains(Redaction.mask) { return Problem(field: .url, sentence: FormErrors.hiddenURL) }
        if let problem = Self.lostFields(of: job.headers) { return problem }
        if job.body == .masked { return Problem(field: .body, sentence: FormErrors.hiddenBody) }
        return job.options.first(where: \.isHidden).map { hidden in
            Problem(field: .options, sentence: SafeText(untrusted: FormErrors.hiddenOption(hidden.option.name)))
        }
    }

    private static func lostFields(of headers: HeaderFields) -> Problem? {
        let names = headers.filter { $0.value == Redaction.mask && Redaction.hidesField($0.name) }.map(\.name)
        guard !names.isEmpty else { return nil }
        let list = names.map { SafeText(untrusted: $0) }.joined(by: ", ")
        return Problem(field: .headers, sentence: FormErrors.lostFields(list))
    }

    /// The header lines behind the field; hidden values are the ones the form was filled with, if they were saved.
    func trueHeaders() throws(Problem) -> HeaderFields {
        let headers = try knownHeaders()
        if let problem = Self.lostFields(of: headers) { throw problem }
        return headers
    }

    private func knownHeaders() throws(Problem) -> HeaderFields {
        if let origin, self[.headers].text == origin.headers { return origin.job.headers }
        var headers = HeaderFields()
        for line in AddForm.headerLines(in: self[.headers].text) {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw Problem(field: .headers, sentence: FormErrors.headers)
            }
            let name = String(line[..<colon]).trimmed
            var value = String(line[line.index(after: colon)...]).trimmed
            if value == AddForm.mask {
                let kept = origin?.job.headers.first { ByteText.isSame($0.name, name) }
                guard let kept else { throw Problem(field: .headers, sentence: FormErrors.hiddenValue) }
                value = kept.value
            }
            headers.append(name: name, value: value)
        }
        return headers
    }

    /// Sets the options of the field's line on a job, which has the ones it was filled with.
    func setLine(on job: inout Job) throws(Problem) {
        do throws(UsageError) {
            if self[.options].text != origin?.options {
                try OptionLine(self[.options].text, hidden: job.options).set(on: &job, defaults: defaults)
            }
            let options = job.options
            if let hidden = options.first(where: \.isHidden) {
                throw UsageError(FormErrors.hiddenOption(hidden.option.name))
            }
            guard kind == .data || !options.contains(where: { $0.option.isBody }) else {
                throw UsageError(FormErrors.bodyOptions)
            }
            if kind != .data, let other = options.first(where: { $0.option.subject == .answers }) {
                throw UsageError(ConditionErrors.needsRequest(other.option.name))
            }
            var judged = job
            judged.kind = kind
            if let problem = judged.answerProblem {
                throw UsageError(ConditionErrors.contradicts(problem.option.name, problem.sentence))
            }
            let bodies = options.bodyOptions
            guard bodies.count < 2 else {
                throw UsageError(FormErrors.twoBodies(bodies[0].name, bodies[1].name))
            }
        } catch {
            throw Problem(field: .options, sentence: SafeText(untrusted: error.message))
        }
    }

    /// The body behind the field.
    func trueBody() throws(Problem) -> Job.Body {
        guard self[.body].text != Redaction.mask || origin?.job.body != .masked else {
            throw Problem(field: .body, sentence: FormErrors.hiddenBody)
        }
        if let origin, origin.job.kind == kind, origin.job.body != .none, self[.body].text == origin.body {
            return origin.job.body
        }
        return try parsedBody()
    }

    /// Splits at semicolons that another header follows: values may contain semicolons too.
    private static func headerLines(in text: String) -> [String] {
        var lines: [String] = []
        for part in text.split(separator: ";").map({ String($0) }) {
            let name = part.trimmed.prefix { $0 != ":" }
            let begins = part.contains(":") && !name.isEmpty && name.allSatisfy { $0.isASCII && isTokenCharacter($0) }
            if begins || lines.isEmpty {
                if !part.trimmed.isEmpty { lines.append(part.trimmed) }
            } else {
                lines[lines.count - 1] += ";" + part
            }
        }
        return lines
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character)
    }
}
