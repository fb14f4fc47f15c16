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
    private var fields = CurlFields()
    private var data = CurlData()
    private var rates: TaskRates?
    private var protocols = CurlProtocols()
    private var isLiteral = false
    private var uploadFile: String?
    /// The outputs of the URLs in their order; nil for standard output.
    private var outputs: [Job.Output?] = []
    /// Whether each URL without an output is a download.
    private var namesAll = false
    /// The folder of all files; nil without one.
    private var folder: String?
    /// Whether the server names the file.
    private var namesByServer = false
    private var unknown: [String] = []
    /// Parts of the body that cannot be read.
    private var bodyGaps: [String] = []
    private var options: [JobOption.Value] = []
    private var isQuery = false
    private var isCompressed = false
    private var printsHead = false
    /// Whether only the head is asked for.
    private var isHeadAlone = false
    /// Whether the body of an error status is dropped.
    private var dropsErrors = false
    private var followsRedirects = false
    /// Whether responses are printed as curl prints them; the dashboard shows heads and discarded bodies anyway.
    private let isPrinted: Bool
    private static let discarded = Job.Output.name("/dev/null")
    /// The template of the name that `-O` gives the response of a request or an upload.
    package static let nameOfURL = Job.Output.name("{name}")

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
        let sent = isQuery ? CurlData() : data
        let hasBody = !sent.isEmpty || !options.bodyOptions.isEmpty
        let method = chosenMethod
        let isPlain = !hasBody && (method ?? "GET") == "GET" && !isHeadAlone
        var job = Job(kind: .data, url: isLiteral ? URLGlob.literal(url) : url)
        place(&job, at: 0, isPlain: isPlain)
        let kind = job.kind
        // If no field says otherwise, bodies are requested with a coding and decoded; files are stored as they arrive.
        job.headers = fields.all
        if isCompressed { job.headers.removeAll(named: "Accept-Encoding") }
        job.rates = rates
        job.printsHead = isPrinted && printsHead
        addQuery(to: &job)
        job.options = options
        // As in curl, the field of -H counts, also where it leaves the field out.
        if fields.decides(about: "Authorization") { job.options.removeAll { $0.option == .bearer } }
        if !followsRedirects {
            job.options.set(JobOption.Value(.keepsRedirects))
        } else if let method, hasBody || method != "GET" && method != "HEAD" {
            job.keepMethod()
        }
        let gaps = bodyGaps + setBody(of: &job, sent)
        // A download has the method that it needs.
        job.method = kind == .download ? nil : method
        addTypes(to: &job)
        unknown += protocols.contradictions(to: urls.map(completed), followsRedirects: followsRedirects)
        var reading = Reading(job: job, bodyGaps: gaps)
        if urls.count > 1, kind != .upload { spread(isPlain: isPlain, over: &reading) }
        for job in [reading.job] + reading.others {
            unknown += contradictions(in: job, method, hasBody: hasBody).filter { !unknown.contains($0) }
        }
        reading.unknown = unknown + (urls.count > 1 ? [FormHints.secondURL] : []) + gaps
        return reading
    }

    private var chosenMethod: String? { method ?? (isHeadAlone ? "HEAD" : nil) }

    /// Options that mean something else beside each other than here.
    private func contradictions(in job: Job, _ method: String?, hasBody: Bool) -> [String] {
        let isUpload = uploadFile != nil
        let isFile = job.kind != .download && job.output.name != nil && job.output != Self.discarded
        let isNamedByServer = namesByServer && job.kind != .download && job.output == Self.nameOfURL
        return [
            fields.hasAutomaticReferer && followsRedirects ? FormHints.automaticReferer : nil,
            isHeadAlone && (hasBody || isUpload || method != "HEAD") ? FormHints.headAlone : nil,
            dropsErrors && isFile ? FormHints.failWithFile : nil,
            hasOtherFormType ? FormHints.formType : nil,
            isNamedByServer ? FormHints.nameOfServer : nil,
            // A file gets no head.
            job.printsHead && job.kind == .download ? "--include" : nil,
        ].compactMap(\.self)
    }

    /// Whether a form has a type of its own that is none of forms, to which curl adds the boundary.
    private var hasOtherFormType: Bool {
        guard options.contains(where: { $0.option == .form }) else { return false }
        return fields.all["Content-Type"].map { !ByteText.lowercased($0[...]).hasPrefix("multipart/") } ?? false
    }

    /// A URL with a scheme: as in curl, `http` if it has none and no other is the usual one; a file goes below a bare host.
    private func completed(_ url: String) -> String {
        let complete = URLScan(url).beginsWithScheme ? url : protocols.usual + "://" + url
        let isBare = complete.split(separator: "/", omittingEmptySubsequences: false).count == 3
        return isBare && uploadFile != nil && !complete.contains { "?#".contains($0) } ? complete + "/" : complete
    }

    /// What becomes of a URL, and where its response goes: as in curl, to the output of its number, or else to
    /// standard output.
    private func destination(at index: Int, isPlain: Bool) -> (Job.Kind, Job.Output) {
        let output = index < outputs.count ? outputs[index] : namesAll ? .automatic : nil
        if uploadFile == nil, isPlain, let output, output != Self.discarded { return (.download, output) }
        let named = output.map { $0 == .automatic ? Self.nameOfURL : $0 }
        return (uploadFile != nil ? .upload : .data, named ?? .automatic)
    }

    private func place(_ job: inout Job, at index: Int, isPlain: Bool) {
        (job.kind, job.output) = destination(at: index, isPlain: isPlain)
        job.directory = job.kind == .download || job.output.name != nil ? folder : nil
    }

    /// Adds the jobs of further URLs.
    private func spread(isPlain: Bool, over reading: inout Reading) {
        func job(_ index: Int, _ url: String) -> Job {
            var job = reading.job
            place(&job, at: index, isPlain: isPlain)
            job.method = job.kind == .download ? nil : chosenMethod
            guard index > 0 else { return job }
            let complete = completed(url)
            job.url = isLiteral ? URLGlob.literal(complete) : complete
            addQuery(to: &job)
            return job
        }
        let jobs = urls.enumerated().map { job($0, $1) }
        (reading.job, reading.others) = (jobs[0], Array(jobs.dropFirst()))
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

    /// Adds the fields about data, which `--json` has with `-G` too.
    private func addTypes(to job: inout Job) {
        guard uploadFile == nil else { return }
        if data.isJSON {
            addDefault("Content-Type", "application/json", to: &job)
            addDefault("Accept", "application/json", to: &job)
        } else if job.body != .none {
            addDefault("Content-Type", "application/x-www-form-urlencoded", to: &job)
        }
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
            if !letters.isEmpty, Self.takesValue(option) {
                words = [String(letters)] + words
                letters = ""
            }
            readOption(option)
        }
    }

    private mutating func readOption(_ option: String) {
        switch option {
        case "-X", "--request": method = text(of: option)
        case "-H", "--header": readHeader(value(of: option))
        case "-d", "--data", "--data-ascii": note(data.addFile(value(of: option)))
        case "--data-binary": note(data.addFile(value(of: option), isBinary: true))
        case "--data-raw": data.add(value(of: option))
        case "--json": note(data.addJSON(value(of: option)))
        case "--data-urlencode": data.addEncoded(value(of: option))
        case "-G", "--get": isQuery = true
        case "-g", "--globoff": isLiteral = true
        case "--compressed": isCompressed = true
        case "--proto": protocols.requests = value(of: option)
        case "--proto-redir": protocols.redirects = value(of: option)
        case "--proto-default": protocols.usual = text(of: option) ?? "http"
        case "--limit-rate": readRate(value(of: option))
        case "--socks5", "--socks5-hostname", "--socks4", "--socks4a":
            let scheme = option == "--socks5-hostname" ? "socks5h" : String(option.dropFirst(2))
            add(.proxy, scheme + "://" + value(of: option), of: option)
        case "-T", "--upload-file": uploadFile = text(of: option)
        case "-o", "--output": readOutput(value(of: option))
        case "-u", "--user":
            let value = value(of: option)
            add(.user, value.contains(":") ? value : value + ":", of: option)
        case "-b", "--cookie": readCookie(value(of: option))
        case "-A", "--user-agent":
            let value = value(of: option)
            fields.setUserAgent(value)
            if value.isEmpty { withhold("User-Agent", of: option) }
        case "-e", "--referer": fields.setReferer(value(of: option))
        case "-I", "--head": (isHeadAlone, printsHead) = (true, true)
        case "-i", "--include", "--show-headers": printsHead = true
        case "-L", "--location": followsRedirects = true
        case "--no-location": followsRedirects = false
        case "--form-string": addLiteralField(value(of: option))
        case "-F", "--form": addField(value(of: option), of: option)
        case "--next", "-:":
            unknown.append(FormHints.nextRequest)
            words = []
        case "--url": urls.append(value(of: option))
        default: readFileOption(option)
        }
    }

    /// Reads an option about the file of a response.
    private mutating func readFileOption(_ option: String) {
        switch option {
        case "-O", "--remote-name": outputs.append(.automatic)
        case "--remote-name-all": namesAll = true
        // The form has its own folder.
        case "--output-dir" where isPrinted: folder = text(of: option)
        case "-J", "--remote-header-name": namesByServer = true
        case "-f", "--fail": dropsErrors = true
        case "-C", "--continue-at":
            // Downloads go on with their own partial files.
            if !["-", "0"].contains(value(of: option)) { unknown.append(FormHints.offset) }
        case "-c", "--cookie-jar":
            let path = value(of: option)
            if path == "-" { unknown.append(FormHints.printedJar) } else { add(.cookieJar, path, of: option) }
        default: readOther(option)
        }
    }

    private mutating func readOther(_ option: String) {
        if let known = CurlOptions.option(named: option) {
            return add(known, known.isSwitch ? "" : value(of: option), of: option)
        }
        if !CurlArguments.isHarmless(option) { unknown.append(option) }
        if CurlArguments.takesValue(option) { _ = value(of: option) }
    }

    /// The value behind an option; nil for an empty one.
    private mutating func text(of option: String) -> String? {
        let value = value(of: option)
        return value.isEmpty ? nil : value
    }

    /// The value behind an option; a missing one is named.
    private mutating func value(of option: String) -> String {
        if let value = words.popFirst() { return value }
        unknown.append(FormHints.missingValue(of: option))
        return ""
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
        switch fields.read(line) {
        case .done: break
        case .leavesOut(let name): withhold(name, of: "-H '\(name.prefix(32)):'")
        case .unreadable: unknown.append("-H " + line.prefix(16))
        }
    }

    /// Leaves out a field that curl or netdash would send by itself.
    private mutating func withhold(_ name: String, of word: String) { add(.withoutHeader, name, of: word) }

    /// Notes data from standard input, which no pasted command has.
    private mutating func note(_ isRead: Bool) {
        if !isRead { bodyGaps.append(FormHints.inputData) }
    }

    private mutating func readCookie(_ value: String) {
        if value.contains("=") { fields.addCookie(value) } else { add(.cookie, value, of: "-b") }
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
