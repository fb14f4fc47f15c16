import SessionSupport

/// Reads a `curl` command into the job that does the same.
struct CurlCommandReader {
    /// The job that a command describes.
    struct Reading: Equatable {
        var job: Job
        /// Options that mean something and were left out.
        var unknown: [String] = []
    }

    /// Options that change nothing here: netdash follows redirects, decodes and is quiet anyway.
    private static let harmless: Set<String> = [
        "-L", "--location", "-s", "--silent", "-S", "--show-error", "-v", "--verbose", "-i", "--include", "-#",
        "--progress-bar", "-f", "--fail", "--basic", "--anyauth", "-g", "--globoff", "-N",
        "--no-buffer", "--http1.1",
        "-O", "--remote-name", "-J", "--remote-header-name", "-C", "--continue-at", "--create-dirs", "--http2",
    ]
    /// Harmless ones and unknown ones that are followed by a value.
    private static let valued: Set<String> = [
        "-C", "--continue-at", "--connect-timeout", "--retry", "-w", "--write-out", "-r", "--range", "-K",
        "--config", "--limit-rate", "-D", "--dump-header", "-z", "--time-cond",
    ]

    private var words: ArraySlice<String>
    private var url: String?
    private var method: String?
    private var headers: [Job.Header] = []
    private var data: [String] = []
    private var dataFile: String?
    private var uploadFile: String?
    private var output: Job.Output = .automatic
    private var isDownload = false
    private var unknown: [String] = []
    private var options: [JobOption.Value] = []
    private var isQuery = false
    private var isCompressed = false

    /// Whether a text looks like such a command.
    static func isCommand(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace || $0 == "$" }
        return start.hasPrefix("curl ") || start.hasPrefix("curl\t") || start.hasPrefix("curl\\")
    }

    /// Reads a command; nil when it is none, or has no URL.
    static func read(_ text: String) -> Reading? {
        guard isCommand(text), let all = ShellWords.split(String(text.drop { $0.isWhitespace || $0 == "$" })) else {
            return nil
        }
        var reader = CurlCommandReader(words: all.dropFirst())
        while let word = reader.words.popFirst() { reader.readWord(word) }
        return reader.reading
    }

    private init(words: ArraySlice<String>) {
        self.words = words
    }

    private var reading: Reading? {
        guard let url else { return nil }
        let kind: Job.Kind = uploadFile != nil ? .upload : isDownload ? .download : .data
        var job = Job(kind: kind, url: url)
        // Bodies are asked for in codings and decoded where the fields say nothing of it; files come as they are.
        job.headers = isCompressed ? headers.filter { !ByteText.isSame($0.name, "Accept-Encoding") } : headers
        job.output = output
        if isQuery, !data.isEmpty {
            let start = url.contains("?") ? "&" : "?"
            job.url = url + start + data.joined(separator: "&")
        }
        let data = isQuery ? [] : data
        let left = leftOutBodies(besides: data)
        job.options = options.filter { !left.contains($0.option) }
        if let uploadFile {
            job.body = uploadFile == "-" ? .standardInput : .file(path: uploadFile)
        } else if let dataFile, data.isEmpty {
            job.body = .file(path: dataFile)
        } else if !data.isEmpty {
            job.body = .text(data.joined(separator: "&"))
        }
        job.method = method
        if job.body != .none, uploadFile == nil {
            addDefault("Content-Type", "application/x-www-form-urlencoded", to: &job)
        }
        let files = uploadFile != nil && (dataFile != nil || !data.isEmpty) || (dataFile != nil && !data.isEmpty)
        let names = left.map { "the body of " + CurlOptions.name(of: $0) } + (files ? ["a second body"] : [])
        return Reading(job: job, unknown: unknown + names)
    }

    /// The options that are bodies and not the one that is sent; curl itself sends none of two kinds.
    private func leftOutBodies(besides data: [String]) -> [JobOption] {
        let bodies = options.bodyOptions
        return data.isEmpty && dataFile == nil && uploadFile == nil ? Array(bodies.dropFirst()) : bodies
    }

    private func addDefault(_ name: String, _ value: String, to job: inout Job) {
        let isThere = job.headers.contains { ByteText.isSame($0.name, name) }
        if !isThere { job.headers.append(Job.Header(name: name, value: value)) }
    }

    // MARK: Words

    private mutating func readWord(_ word: String) {
        guard word.hasPrefix("-"), word.count > 1 else {
            if url == nil { url = word } else { unknown.append("a second URL") }
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

    /// Reads one letter, letters together, or a letter with its value.
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
        if let known = CurlOptions.option(named: option) { return known.operand != .none }
        return "XHdToubAe".contains(option.dropFirst()) || Self.valued.contains(option)
    }

    private mutating func readOption(_ option: String) {
        switch option {
        case "-X", "--request": method = words.popFirst()
        case "-H", "--header": readHeader(words.popFirst() ?? "")
        case "-d", "--data", "--data-ascii", "--data-binary": readData(words.popFirst() ?? "", mayBeFile: true)
        case "--data-raw": readData(words.popFirst() ?? "", mayBeFile: false)
        case "--json":
            readData(words.popFirst() ?? "", mayBeFile: true)
            headers.append(Job.Header(name: "Content-Type", value: "application/json"))
            headers.append(Job.Header(name: "Accept", value: "application/json"))
        case "--data-urlencode": readEncoded(words.popFirst() ?? "")
        case "-G", "--get": isQuery = true
        case "--compressed": isCompressed = true
        case "--socks5", "--socks5-hostname", "--socks4", "--socks4a":
            let scheme = option == "--socks5-hostname" ? "socks5h" : String(option.dropFirst(2))
            add(.proxy, scheme + "://" + (words.popFirst() ?? ""), of: option)
        case "-T", "--upload-file": uploadFile = words.popFirst()
        case "-o", "--output":
            isDownload = true
            if let name = words.popFirst() { output = .name(name) }
        case "-u", "--user":
            let value = words.popFirst() ?? ""
            add(.user, value.contains(":") ? value : value + ":", of: option)
        case "-b", "--cookie": readCookie(words.popFirst() ?? "")
        case "-A", "--user-agent": headers.append(Job.Header(name: "User-Agent", value: words.popFirst() ?? ""))
        case "-e", "--referer": headers.append(Job.Header(name: "Referer", value: words.popFirst() ?? ""))
        case "-I", "--head": method = "HEAD"
        case "--url": url = words.popFirst()
        default: readOther(option)
        }
    }

    private mutating func readOther(_ option: String) {
        if let known = CurlOptions.option(named: option) {
            return add(known, known.operand == .none ? "" : words.popFirst() ?? "", of: option)
        }
        if option == "-O" || option == "--remote-name" { isDownload = true }
        if !Self.harmless.contains(option) { unknown.append(option) }
        if Self.valued.contains(option) { words = words.dropFirst() }
    }

    private mutating func readHeader(_ line: String) {
        guard let colon = line.firstIndex(of: ":") else { return unknown.append("-H " + line.prefix(16)) }
        let value = String(line[line.index(after: colon)...]).trimmed
        headers.append(Job.Header(name: String(line[..<colon]).trimmed, value: value))
    }

    private mutating func readData(_ value: String, mayBeFile: Bool) {
        if mayBeFile, value.hasPrefix("@") {
            if dataFile == nil { dataFile = String(value.dropFirst()) } else { unknown.append("a second data file") }
        } else {
            data.append(value)
        }
    }

    private mutating func readCookie(_ value: String) {
        if value.contains("=") {
            headers.append(Job.Header(name: "Cookie", value: value))
        } else {
            add(.cookie, value, of: "-b")
        }
    }

    private mutating func add(_ option: JobOption, _ text: String, of word: String) {
        guard option.problem(with: text) == nil else { return unknown.append(word) }
        options.set(JobOption.Value(option, text))
    }

    /// Reads a field of a form that is to be written in percent signs; one from a file is left for later.
    private mutating func readEncoded(_ value: String) {
        let name = value.prefix { $0 != "=" && $0 != "@" }
        let rest = value.dropFirst(name.count)
        guard !rest.hasPrefix("@") else { return add(.urlEncoded, value, of: "--data-urlencode") }
        let text = rest.isEmpty ? Substring(name) : rest.dropFirst()
        data.append((rest.isEmpty || name.isEmpty ? "" : name + "=") + FormText.encoded(text.utf8))
    }
}
