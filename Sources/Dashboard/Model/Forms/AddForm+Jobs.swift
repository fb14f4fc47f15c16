import SessionSupport

extension AddForm {
    /// The jobs the form describes, one for each URL.
    func jobs(clock: LocalClock = .system) throws(Problem) -> [Job] {
        let first = self[.url].text.trimmed
        guard !first.isEmpty else { throw Problem(field: .url, sentence: FormErrors.noURL) }
        let model = try settings()
        let urls = try allURLs(first)
        let outputs = try outputs(of: model, urls, clock)
        guard model.checksum == nil || urls.count == 1 else {
            throw Problem(field: .checksum, sentence: FormErrors.oneChecksumForSeveral)
        }
        let hasScheme = ([first] + furtherURLs).contains { URLScan($0).beginsWithScheme }
        return zip(urls, outputs).map { expansion, output in
            var job = model
            (job.url, job.output) = (expansion.url, output)
            job.guessesScheme = !hasScheme
            // Only the disk shows how many files such an upload has, so it gets no name here.
            return editedID == nil && AddForm.namesSeveralFiles(job) ? job : job.namedAfterFile
        }
    }

    /// The list of tasks that the form names in place of a URL: a path of a file; nil for a URL.
    var listPath: String? {
        let text = self[.url].text.trimmed
        guard editedID == nil, furtherURLs.isEmpty, AddForm.isPath(text) else { return nil }
        return text
    }

    /// Whether a text begins as the path of a file, which no URL does.
    static func isPath(_ text: String) -> Bool { ["/", "~/", "./", "../"].contains { text.hasPrefix($0) } }

    /// Whether an upload's file may stand for several: words, a pattern, or a folder with a slash at its end.
    package static func namesSeveralFiles(_ job: Job) -> Bool {
        guard job.kind == .upload, case .file(let path) = job.body else { return false }
        return path.hasSuffix("/") || path.contains { " *?[\"'\\".contains($0) }
    }

    /// The settings that the tasks of a list share; a line of the list may replace them.
    func listDefaults() throws(Problem) -> Job {
        guard kind == .download else { throw Problem(field: .kind, sentence: FormErrors.listOfDownloads) }
        let model = try settings()
        let isTemplate = try template(of: model) != nil
        guard model.output == .automatic || model.output.isFolder || isTemplate else {
            throw Problem(field: .name, sentence: FormErrors.oneNameForSeveral)
        }
        guard model.checksum == nil else {
            throw Problem(field: .checksum, sentence: FormErrors.oneChecksumForSeveral)
        }
        return model
    }

    /// A job with everything but its URL.
    private func settings() throws(Problem) -> Job {
        let headers = try trueHeaders()
        let body = try trueBody()
        var model = origin.map(\.job) ?? Job(kind: kind, url: "")
        try setLine(on: &model)
        guard body == .none || !model.options.contains(where: { $0.option.isBody }) else {
            throw Problem(field: .body, sentence: FormErrors.bodyAndOption)
        }
        let checksum = try parsedChecksum()
        let method = self[.method].text.trimmed
        let output = try trueOutput()
        guard method.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }) else {
            throw Problem(field: .method, sentence: FormErrors.method)
        }
        model.kind = kind
        model.method = method.isEmpty ? nil : method.uppercased()
        model.headers = headers
        model.body = body
        model.output = output
        model.checksum = checksum
        model.startsPaused = startsPaused
        model.continues = continues
        return model
    }

    /// The URLs of all fields and lines; a pattern such as `[1-3]` expands to several, except in a task that is only
    /// changed.
    private func allURLs(_ first: String) throws(Problem) -> [(url: String, values: [String])] {
        var urls: [(url: String, values: [String])] = []
        for text in [first] + furtherURLs {
            let url = try trueURL(text)
            guard editedID == nil || url != origin?.job.url else {
                urls.append((url, []))
                continue
            }
            do throws(UsageError) {
                let found = try URLGlob.expansions(of: url, label: "")
                guard kind == .download || found.count == 1 else {
                    throw UsageError(FormErrors.patternInTask)
                }
                urls += found
            } catch {
                let sentence =
                    error.message.hasPrefix(": ")
                    ? FormErrors.pattern(String(error.message.dropFirst(2))) : error.message
                throw Problem(field: .url, sentence: SafeText(untrusted: sentence))
            }
        }
        return urls
    }

    /// The template in the name field; nil for a name, also the one that an edited task has.
    private func template(of job: Job) throws(Problem) -> NameTemplate? {
        guard let name = job.output.name, editedID == nil || job.output != origin?.job.output else { return nil }
        do throws(UsageError) {
            return try NameTemplate(name, label: FormLabels.name.string)
        } catch {
            throw Problem(field: .name, sentence: SafeText(untrusted: error.message))
        }
    }

    /// The output of each URL; one file name cannot stand for several.
    private func outputs(
        of model: Job, _ urls: [(url: String, values: [String])], _ clock: LocalClock
    ) throws(Problem) -> [Job.Output] {
        guard let template = try template(of: model) else {
            guard model.output == .automatic || model.output.isFolder || urls.count == 1 else {
                throw Problem(field: .name, sentence: FormErrors.oneNameForSeveral)
            }
            return urls.map { _ in model.output }
        }
        let outputs = urls.enumerated().map { index, expansion in
            template.output(for: expansion.url, expansion.values, number: index + 1, clock: clock)
        }
        guard template.hasFields || outputs[0].isFolder || Set(outputs.map(\.name)).count == urls.count else {
            throw Problem(field: .name, sentence: FormErrors.oneNameForSeveral)
        }
        return outputs
    }

    /// The output in the name field: a file, or with a trailing slash the folder of a file the server names.
    private func trueOutput() throws(Problem) -> Job.Output {
        let name = self[.name].text.trimmed
        if let origin, origin.job.kind == kind, origin.name == name { return origin.job.output }
        guard kind == .download, !name.isEmpty else { return .automatic }
        let parts = name.split(separator: "/")
        guard name.hasSuffix("/") || parts.last != "." && parts.last != ".." else {
            throw Problem(field: .name, sentence: FormErrors.folder)
        }
        guard parts.last?.utf8.count ?? 0 <= JobDestination.longestName else {
            throw Problem(field: .name, sentence: FormErrors.longName(JobDestination.longestName))
        }
        return .name(name)
    }

    /// The URLs in pasted text, one per line; other lines are skipped.
    static func urls(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { line in
            URLScan(line).isWebAddress && !line.contains(" ")
        }
    }

    /// The number of lines of pasted text that are neither empty nor comments.
    static func lineCount(of text: String) -> Int {
        text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.count { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    /// The number of lines of pasted text that a list would read as options: indented ones below a URL.
    static func optionLineCount(of text: String) -> Int {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let first = lines.firstIndex(where: { !urls(in: String($0)).isEmpty }) else { return 0 }
        return lines[first...].count {
            $0.first?.isWhitespace == true && $0.contains("=") && urls(in: String($0)).isEmpty
        }
    }

    /// A URL with a scheme: `https` if none was given.
    static func completed(_ url: String) throws(Problem) -> String {
        if url.contains(where: { $0.isWhitespace }) {
            let isCommand = CurlCommandReader.isCommand(url)
            throw Problem(field: .url, sentence: isCommand ? FormErrors.typedCommand : FormErrors.spaceInURL)
        }
        guard case .url(let complete) = TypedURL(url) else {
            throw Problem(field: .url, sentence: FormErrors.unsupportedScheme)
        }
        if let problem = URLAuthority.problem(of: complete) { throw Problem(field: .url, sentence: problem.sentence) }
        return complete
    }

    func parsedBody() throws(Problem) -> Job.Body {
        let text = self[.body].text
        switch kind {
        case .download: return .none
        case .upload:
            guard !text.trimmed.isEmpty else { throw Problem(field: .body, sentence: FormErrors.noUpload) }
            return .file(path: text.trimmed)
        case .data:
            if text.hasPrefix("@") { return .file(path: String(text.dropFirst()).trimmed) }
            return text.isEmpty ? .none : .text(text)
        }
    }

    private func parsedChecksum() throws(Problem) -> Job.Checksum? {
        let text = self[.checksum].text.trimmed.lowercased()
        guard kind == .download, !text.isEmpty else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1).map { String($0) }
        let hex = parts.last ?? ""
        let named = parts.count == 2 ? parts.first : nil
        let fitting = Job.Checksum.Algorithm.allCases.first { algorithm in
            algorithm.digitCount == hex.utf8.count && (named == nil || named == algorithm.rawValue)
        }
        guard let fitting, hex.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw Problem(field: .checksum, sentence: FormErrors.checksum)
        }
        return Job.Checksum(algorithm: fitting, hex: hex)
    }
}

/// The destination of the form's download, which is looked up on the disk while the form is open.
extension AddForm {
    /// A query about the destination, with its answer once it has arrived.
    struct Lookup: Sendable, Equatable {
        /// A job with only the fields that decide about the destination.
        var job: Job
        var info: DestinationInfo?
    }

    /// The job whose destination should be checked: a download of one URL into a file.
    var wantedDestination: Job? {
        let text = self[.url].text.trimmed
        guard kind == .download, furtherURLs.isEmpty, !text.isEmpty, !AddForm.isPath(text),
            let url = try? trueURL(text)
        else { return nil }
        guard let output = try? trueOutput(), output != .standardOutput else { return nil }
        var job = Job(kind: .download, url: url)
        var model = origin.map(\.job) ?? job
        try? setLine(on: &model)
        job.directory = model.directory
        job.ifExists = model.ifExists
        job.continues = continues
        job.output = output
        guard let template = try? template(of: job) else { return job }
        guard let found = try? URLGlob.expansions(of: url, label: ""), found.count == 1 else { return nil }
        job.output = template.output(for: found[0].url, found[0].values)
        return job
    }

    /// A sentence about the destination; empty for nothing to report.
    package func outlook(units: Units) -> SafeText {
        let isHere = self[.url].text == origin?.url && self[.name].text == origin?.name
        if editsActiveTask, isHere {
            return startsPaused
                ? FormHints.savePauses : FormHints.saveRestarts
        }
        guard let lookup, let info = lookup.info else { return "" }
        return info.outlook(policy: lookup.job.ifExists, continues: lookup.job.continues, units: units)
    }
}
