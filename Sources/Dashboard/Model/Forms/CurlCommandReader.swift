import SessionSupport

/// Converts a `curl` command to equivalent jobs.
package struct CurlCommandReader {
    /// The jobs that a command describes.
    package struct Reading: Equatable {
        package var job: Job
        /// The jobs of its further URLs, each with the output of its number.
        package var others: [Job] = []
        /// Options that have a meaning and were dropped.
        package var unknown: [String] = []
        /// The parts of the body among them, without which the request would be another one.
        package var bodyGaps: [String] = []

        /// Whether an entry of ``unknown`` is only about further URLs, which ``others`` has.
        package func isOfURLs(_ entry: String) -> Bool { entry == FormHints.secondURL && !others.isEmpty }
    }

    private var words: ArraySlice<String>
    private var urls: [String] = []
    private var method: String?
    private var headers = HeaderFields()
    private var data = CurlData()
    private var cookies: [String] = []
    /// The cookies of `-H`, which replace the cookies of `-b`.
    private var fieldCookies: [String] = []
    private var hasAutomaticReferer = false
    private var rates: TaskRates?
    private var protocols = CurlProtocols()
    private var isLiteral = false
    private var uploadFile: String?
    /// The outputs of the URLs in their order; nil for standard output.
    private var outputs: [Job.Output?] = []
    /// Whether each URL without an output is a download.
    private var namesAll = false
    private var unknown: [String] = []
    /// Parts of the body that cannot be read.
    private var bodyGaps: [String] = []
    private var options: [JobOption.Value] = []
    private var isQuery = false
    private var isCompressed = false
    private var printsHead = false
    private var followsRedirects = false
    /// Whether responses are printed as curl prints them; the dashboard shows heads and discarded bodies anyway.
    private let isPrinted: Bool
    private static let discarded = Job.Output.name("/dev/null")

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

    private static func command(_ text: String) -> String {
        String(text.drop { $0.isWhitespace || $0 == "$" || $0 == ">" })
    }

    /// Whether a word is one of curl's options.
    package static func isOption(_ word: String) -> Bool {
        CurlOptions.option(named: word) != nil || CurlArguments.takesValue(word) || CurlArguments.isHarmless(word)
            || [
                "-G", "--get", "-I", "--head", "-L", "--location", "--no-location", "--compressed", "-O", "--next",
                "-:",
            ].contains(word)
    }

    /// Reads a curl command; nil if the text is none or has no URL.
    package static func read(_ text: String) -> Reading? {
        guard isCommand(text), let all = ShellWords.read(command(text)) else { return nil }
        var reading = read(words: Array(all.words.dropFirst()))
        if let end = all.end { reading?.unknown.append(FormHints.textBehind(end)) }
        return reading
    }

    /// Reads the words behind the program's name; nil without a URL.
    ///
    /// With `printed` a head that curl prints is printed too, and a body that it discards is discarded.
    package static func read(words: [String], printed: Bool = false) -> Reading? {
        var reader = CurlCommandReader(words: words[...], isPrinted: printed)
        while let word = reader.words.popFirst() { reader.readWord(word) }
        return reader.reading
    }

    private init(words: ArraySlice<String>, isPrinted: Bool) {
        (self.words, self.isPrinted) = (words, isPrinted)
    }

    private var reading: Reading? {
        var unknown = unknown
        guard let given = urls.first else { return nil }
        let url = completed(given)
        let data = isQuery ? CurlData() : data
        let hasBody = !data.isEmpty || !options.bodyOptions.isEmpty
        let isPlain = !hasBody && (method ?? "GET") == "GET"
        let isDownload = namesAll || outputs.contains { isFile($0) }
        let kind: Job.Kind = uploadFile != nil ? .upload : isDownload && isPlain ? .download : .data
        var job = Job(kind: kind, url: isLiteral ? URLGlob.literal(url) : url)
        // If no field says otherwise, bodies are requested with a coding and decoded; files are stored as they arrive.
        job.headers = headers
        if isCompressed { job.headers.removeAll(named: "Accept-Encoding") }
        addCookies(to: &job)
        job.output = outputs.compactMap(\.self).last { $0.name != nil } ?? .automatic
        job.rates = rates
        job.printsHead = isPrinted && printsHead
        addQuery(to: &job)
        job.options = options
        if !followsRedirects {
            job.options.set(JobOption.Value(.keepsRedirects))
        } else if let method, hasBody || method != "GET" && method != "HEAD" {
            job.keepMethod()
        }
        let gaps = bodyGaps + setBody(of: &job, data)
        job.method = method
        if job.body != .none, uploadFile == nil {
            addDefault(
                "Content-Type", data.isJSON ? "application/json" : "application/x-www-form-urlencoded", to: &job)
            if data.isJSON { addDefault("Accept", "application/json", to: &job) }
        }
        unknown += protocols.contradictions(to: urls.map(completed), followsRedirects: followsRedirects)
        if hasAutomaticReferer, followsRedirects { unknown.append(FormHints.automaticReferer) }
        let further = urls.count > 1 ? [FormHints.secondURL] : []
        // A file gets no head.
        let heads = job.printsHead && isDownload && isPlain ? ["--include"] : []
        var reading = Reading(job: job, unknown: unknown + heads + further + gaps, bodyGaps: gaps)
        if urls.count > 1, kind != .upload { spread(isPlain: isPlain, over: &reading) }
        return reading
    }

    /// A URL with a scheme: as in curl, `http` if it has none and no other is the usual one; a file goes below a bare host.
    private func completed(_ url: String) -> String {
        let complete = URLScan(url).beginsWithScheme ? url : protocols.usual + "://" + url
        let isBare = complete.split(separator: "/", omittingEmptySubsequences: false).count == 3
        return isBare && uploadFile != nil && !complete.contains { "?#".contains($0) } ? complete + "/" : complete
    }

    private func isFile(_ output: Job.Output?) -> Bool { output != nil && output != Self.discarded }

    /// Adds the jobs of further URLs; as in curl, each has the output of its number, or else standard output.
    private func spread(isPlain: Bool, over reading: inout Reading) {
        func job(_ index: Int, _ url: String) -> Job {
            var job = reading.job
            let output = index < outputs.count ? outputs[index] : namesAll ? Job.Output.automatic : nil
            (job.kind, job.output) = (isFile(output) && isPlain ? .download : .data, output ?? .automatic)
            guard index > 0 else { return job }
            let complete = completed(url)
            job.url = isLiteral ? URLGlob.literal(complete) : complete
            addQuery(to: &job)
            return job
        }
        let jobs = urls.enumerated().map { job($0, $1) }
        (reading.job, reading.others) = (jobs[0], Array(jobs.dropFirst()))
    }

    /// Joins all cookies in one field, as curl does; a field of `-H` replaces the cookies of `-b`.
    private func addCookies(to job: inout Job) {
        let cookies = fieldCookies.isEmpty ? cookies : fieldCookies
        guard !cookies.isEmpty else { return }
        let all = cookies.map { ByteText.trimmed($0.hasSuffix(";") ? String($0.dropLast()) : $0) }
        job.headers.append(name: "Cookie", value: all.joined(separator: "; "))
    }

    /// Adds the data of `-G` to the URL.
    private func addQuery(to job: inout Job) {
        guard isQuery, let query = data.query, !query.isEmpty else { return }
        let url = job.url.prefix { $0 != "#" }
        let separator = url.contains("?") ? (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&") : "?"
        // Data has no ranges.
        job.url = url + separator + URLGlob.literal(query) + job.url.dropFirst(url.count)
    }

    /// Sets the body; returns the names of what cannot be sent with it.
    ///
    /// curl itself rejects two kinds of body.
    private func setBody(of job: inout Job, _ data: CurlData) -> [String] {
        var forms = options.bodyOptions
        var left: [String] = []
        if isQuery, self.data.query == nil { left.append(FormHints.fileInQuery) }
        if let uploadFile {
            job.body = uploadFile == "-" ? .standardInput : .file(path: uploadFile)
            if !data.isEmpty { left.append(FormHints.secondBody) }
        } else {
            switch data.sending {
            case .nothing: forms = Array(forms.dropFirst())
            case .body(let body): job.body = body
            case .options(let values): for value in values { job.options.set(value) }
            case .unjoined: left.append(FormHints.unjoinedFile)
            }
        }
        job.options.removeAll { forms.contains($0.option) }
        return left + forms.map { FormHints.body(of: CurlOptions.name(of: $0)) }
    }

    private func addDefault(_ name: String, _ value: String, to job: inout Job) {
        let isWithheld = options.contains { $0.option == .withoutHeader && ByteText.isSame($0.text, name) }
        if !isWithheld, job.headers[name] == nil { job.headers.append(name: name, value: value) }
    }

    // MARK: Words

    private mutating func readWord(_ word: String) {
        guard word.hasPrefix("-"), word.count > 1 else {
            urls.append(word)
            return
        }
        if word.hasPrefix("--") {
            let parts = word.split(separator: "=", maxSplits: 1).map { String($0) }
            if parts.count == 2 { words = [parts[1]] + words }
            readOption(parts.first ?? word)
        } else {
            readShort(word)
        }
    }

    /// Reads a letter, several combined letters, or a letter with its value.
    private mutating func readShort(_ word: String) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let option = "-" + String(letter)
            if !letters.isEmpty, takesValue(option) {
                words = [String(letters)] + words
                letters = ""
            }
            readOption(option)
        }
    }

    private func takesValue(_ option: String) -> Bool {
        if let known = CurlOptions.option(named: option) { return !known.isSwitch }
        return CurlArguments.takesValue(option)
    }

    private mutating func readOption(_ option: String) {
        switch option {
        case "-X", "--request": method = words.popFirst()
        case "-H", "--header": readHeader(words.popFirst() ?? "")
        case "-d", "--data", "--data-ascii": note(data.addFile(words.popFirst() ?? ""))
        case "--data-binary": note(data.addFile(words.popFirst() ?? "", isBinary: true))
        case "--data-raw": data.add(words.popFirst() ?? "")
        case "--json": note(data.addJSON(words.popFirst() ?? ""))
        case "--data-urlencode": data.addEncoded(words.popFirst() ?? "")
        case "-G", "--get": isQuery = true
        case "-g", "--globoff": isLiteral = true
        case "--compressed": isCompressed = true
        case "--proto": protocols.requests = words.popFirst()
        case "--proto-redir": protocols.redirects = words.popFirst()
        case "--proto-default": protocols.usual = words.popFirst() ?? "http"
        case "--limit-rate": readRate(words.popFirst() ?? "")
        case "--socks5", "--socks5-hostname", "--socks4", "--socks4a":
            let scheme = option == "--socks5-hostname" ? "socks5h" : String(option.dropFirst(2))
            add(.proxy, scheme + "://" + (words.popFirst() ?? ""), of: option)
        case "-T", "--upload-file": uploadFile = words.popFirst()
        case "-o", "--output": readOutput(words.popFirst() ?? "")
        case "-u", "--user":
            let value = words.popFirst() ?? ""
            add(.user, value.contains(":") ? value : value + ":", of: option)
        case "-b", "--cookie": readCookie(words.popFirst() ?? "")
        case "-A", "--user-agent":
            let value = words.popFirst() ?? ""
            if value.isEmpty { withhold("User-Agent", of: option) } else { headers["User-Agent"] = value }
        case "-e", "--referer": readReferer(words.popFirst() ?? "")
        case "-I", "--head": (method, printsHead) = ("HEAD", true)
        case "-i", "--include", "--show-headers": printsHead = true
        case "-L", "--location": followsRedirects = true
        case "--no-location": followsRedirects = false
        case "--form-string": addLiteralField(words.popFirst() ?? "")
        case "-F", "--form": addField(words.popFirst() ?? "", of: option)
        case "--next", "-:":
            unknown.append(FormHints.nextRequest)
            words = []
        case "--url": if let url = words.popFirst() { urls.append(url) }
        default: readOther(option)
        }
    }

    private mutating func readOther(_ option: String) {
        if let known = CurlOptions.option(named: option) {
            return add(known, known.isSwitch ? "" : words.popFirst() ?? "", of: option)
        }
        if option == "-O" || option == "--remote-name" { outputs.append(.automatic) }
        if option == "--remote-name-all" { namesAll = true }
        if !CurlArguments.isHarmless(option) { unknown.append(option) }
        if CurlArguments.takesValue(option) { words = words.dropFirst() }
    }

    private mutating func readOutput(_ name: String) {
        let isShown = name.isEmpty || name == "-" || !isPrinted && Job.Output.name(name) == Self.discarded
        outputs.append(isShown ? nil : .name(name))
    }

    private mutating func readRate(_ text: String) {
        do throws(RateSchedule.Problem) {
            let rate = OwnRate(try RateSchedule.rate(text))
            rates = TaskRates(download: rate, upload: rate)
        } catch {
            unknown.append("--limit-rate")
        }
    }

    private mutating func readHeader(_ line: String) {
        guard let colon = line.firstIndex(of: ":") else {
            // A semicolon stands for a field that is sent without a value.
            guard line.hasSuffix(";"), line.count > 1 else { return unknown.append("-H " + line.prefix(16)) }
            return headers.append(name: String(line.dropLast()), value: "")
        }
        let name = String(line[..<colon]).trimmed
        let value = String(line[line.index(after: colon)...]).trimmed
        guard !value.isEmpty else { return withhold(name, of: "-H '\(name.prefix(32)):'") }
        if ByteText.isSame(name, "Cookie") { return fieldCookies.append(value) }
        headers.append(name: name, value: value)
    }

    /// Leaves out a field that curl or netdash would send by itself.
    private mutating func withhold(_ name: String, of word: String) { add(.withoutHeader, name, of: word) }

    /// Reads a referer, behind which `;auto` is for redirects alone.
    private mutating func readReferer(_ value: String) {
        let isAutomatic = value.hasSuffix(";auto")
        hasAutomaticReferer = isAutomatic
        let url = isAutomatic ? String(value.dropLast(";auto".count)) : value
        if !url.isEmpty { headers.append(name: "Referer", value: url) }
    }

    /// Notes data from standard input, which no pasted command has.
    private mutating func note(_ isRead: Bool) {
        if !isRead { bodyGaps.append(FormHints.inputData) }
    }

    private mutating func readCookie(_ value: String) {
        if value.contains("=") { cookies.append(value) } else { add(.cookie, value, of: "-b") }
    }

    /// Adds an option; pasted text must not run a command.
    private mutating func add(_ option: JobOption, _ text: String, of word: String) {
        guard let value = try? JobOption.Value(checking: option, text), value.command == nil else {
            return unknown.append(word)
        }
        options.set(value)
    }

    /// Adds a field of a form; curl drops what is no parameter behind the semicolon of a text.
    private mutating func addField(_ text: String, of word: String) {
        let value = text.drop { $0 != "=" }.dropFirst()
        if let field = FormField(text), field.path == nil, !value.hasPrefix("\""), field.value.contains(";") {
            unknown.append(FormHints.textBehindField)
        }
        add(.form, text, of: word)
    }

    /// Adds a field whose value is literal, in quotes, where nothing in it is a sign.
    private mutating func addLiteralField(_ text: String) {
        let name = text.prefix { $0 != "=" }
        guard name.count < text.count else { return unknown.append("--form-string") }
        let value = text.dropFirst(name.count + 1)
        let quoted: [Character] = value.flatMap { "\"\\".contains($0) ? ["\\", $0] : [$0] }
        let isPlain = !value.contains { ";\"\\".contains($0) } && !value.hasPrefix("@") && !value.hasPrefix("<")
        add(.form, isPlain ? text : name + "=\"" + String(quoted) + "\"", of: "--form-string")
    }
}
