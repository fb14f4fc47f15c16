extension AddForm {
    /// What the form asks for: one job for each URL.
    func jobs() throws(Problem) -> [Job] {
        let first = self[.url].text.trimmed
        guard !first.isEmpty else { throw Problem(field: .url, sentence: "A URL is missing") }
        let headers = try parsedHeaders()
        let body = try parsedBody()
        let checksum = try parsedChecksum()
        let method = self[.method].text.trimmed
        let name = self[.name].text.trimmed
        guard name.isEmpty || furtherURLs.isEmpty else {
            throw Problem(field: .name, sentence: "Several URLs cannot be saved under one name")
        }
        guard checksum == nil || furtherURLs.isEmpty else {
            throw Problem(field: .checksum, sentence: "Several URLs cannot have one checksum")
        }
        guard method.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }) else {
            throw Problem(field: .method, sentence: "A method is made of letters, like GET or PUT")
        }
        var jobs: [Job] = []
        for url in [first] + furtherURLs {
            var job = Job(kind: kind, url: try AddForm.completed(url))
            job.method = method.isEmpty ? nil : method.uppercased()
            job.headers = headers
            job.body = body
            if kind == .download { job.output = name.isEmpty ? .automatic : .name(name) }
            job.checksum = checksum
            job.startsPaused = startsPaused
            jobs.append(job)
        }
        return jobs
    }

    /// Takes pasted text: its URLs become the form's; anything else goes into the field that has the focus.
    mutating func paste(_ text: String) {
        let urls = AddForm.urls(in: text)
        guard focus == .url, let first = urls.first else {
            if focusTakesText { self[focus].insert(text) }
            return
        }
        self[.url] = TextField(first)
        furtherURLs = Array(urls.dropFirst())
        problem = nil
    }

    /// The URLs in pasted text, one a line; other lines are left out.
    static func urls(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { line in
            let lower = line.lowercased()
            return (lower.hasPrefix("http://") || lower.hasPrefix("https://")) && !line.contains(" ")
        }
    }

    /// A URL with a scheme: `https` when none was given.
    private static func completed(_ url: String) throws(Problem) -> String {
        let lower = url.lowercased()
        if url.contains(where: { $0.isWhitespace }) {
            throw Problem(field: .url, sentence: "A URL has no blanks: write them as %20")
        }
        guard let separator = lower.firstRange(of: "://") else { return "https://" + url }
        let scheme = lower[..<separator.lowerBound]
        guard scheme == "http" || scheme == "https" else {
            throw Problem(field: .url, sentence: "Only http and https URLs can be added")
        }
        guard separator.upperBound < lower.endIndex, lower[separator.upperBound] != "/" else {
            throw Problem(field: .url, sentence: "The URL names no host")
        }
        return url
    }

    private func parsedHeaders() throws(Problem) -> [Job.Header] {
        var headers: [Job.Header] = []
        for part in self[.headers].text.split(separator: ";") {
            let line = String(part).trimmed
            guard !line.isEmpty else { continue }
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw Problem(field: .headers, sentence: "Headers are written Name: value; Name: value")
            }
            let name = String(line[..<colon]).trimmed
            let value = String(line[line.index(after: colon)...]).trimmed
            headers.append(Job.Header(name: name, value: value))
        }
        return headers
    }

    private func parsedBody() throws(Problem) -> Job.Body {
        let text = self[.body].text
        switch kind {
        case .download: return .none
        case .upload:
            guard !text.trimmed.isEmpty else { throw Problem(field: .body, sentence: "A file to upload is missing") }
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
        let lengths: [(Job.Checksum.Algorithm, Int)] = [(.sha256, 64), (.sha512, 128), (.sha1, 40), (.md5, 32)]
        let fitting = lengths.first { algorithm, length in
            length == hex.utf8.count && (named == nil || named == algorithm.rawValue)
        }
        guard let fitting, hex.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw Problem(field: .checksum, sentence: "A checksum is written sha-256=… with all its digits")
        }
        return Job.Checksum(algorithm: fitting.0, hex: hex)
    }
}
