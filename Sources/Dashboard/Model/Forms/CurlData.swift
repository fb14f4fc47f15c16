import SessionSupport

/// The data of a curl command: the words of `-d` and its relatives, which curl joins to one body.
struct CurlData {
    private enum Part {
        case text(String)
        /// A file without its line ends.
        case formFile(String)
        case file(String)
        /// A form field from a file, encoded when it is read.
        case encodedFile(String)
    }

    /// What a job has of the data.
    enum Sending {
        case nothing
        case body(Job.Body)
        /// Options whose values are joined when the request is made.
        case options([JobOption.Value])
        /// A file that cannot be joined with the rest.
        case unjoined
    }

    private var parts: [Part] = []
    /// The parts of `--json`, which follow without a sign between.
    private var jsonParts: Set<Int> = []
    /// Whether `--json` has its type.
    var isJSON: Bool { !jsonParts.isEmpty }

    var isEmpty: Bool { parts.isEmpty }

    /// The data as texts of a query; nil where a file is among them.
    var query: String? {
        let texts = texts
        return texts.count == parts.count ? texts.joined(separator: "&") : nil
    }

    private var texts: [String] { parts.compactMap { if case .text(let text) = $0 { text } else { nil } } }

    var sending: Sending {
        let texts = texts
        if texts.count == parts.count {
            let joined = texts.indices.map { ($0 == 0 || jsonParts.contains($0) ? "" : "&") + texts[$0] }.joined()
            return parts.isEmpty ? .nothing : .body(.text(joined))
        }
        if parts.count == 1 {
            switch parts[0] {
            case .formFile(let path): return .body(.formFile(path: path))
            case .file(let path): return .body(.file(path: path))
            case .text, .encodedFile: break
            }
        }
        let values = parts.compactMap(option)
        return isJSON || values.count < parts.count ? .unjoined : .options(values)
    }

    /// The option of a part among others; nil for one that no option sends as it is.
    private func option(_ part: Part) -> JobOption.Value? {
        switch part {
        case .text(let text): text.hasPrefix("@") ? nil : JobOption.Value(.dataPart, text)
        case .formFile(let path): JobOption.Value(.dataPart, "@" + path)
        case .encodedFile(let field): JobOption.Value(.urlEncoded, field)
        case .file: nil
        }
    }

    mutating func add(_ text: String) { parts.append(.text(text)) }

    /// Adds a text, or the file behind an `@`; returns false for standard input.
    mutating func addFile(_ value: String, isBinary: Bool = false) -> Bool {
        guard value.hasPrefix("@") else {
            add(value)
            return true
        }
        let path = String(value.dropFirst())
        guard path != "-" else { return false }
        parts.append(isBinary ? .file(path) : .formFile(path))
        return true
    }

    mutating func addJSON(_ value: String) -> Bool {
        jsonParts.insert(parts.count)
        return addFile(value, isBinary: true)
    }

    /// Adds a form field that needs percent-encoding; one from a file is encoded later.
    mutating func addEncoded(_ value: String) {
        let name = value.prefix { $0 != "=" && $0 != "@" }
        let rest = value.dropFirst(name.count)
        guard !rest.hasPrefix("@") else { return parts.append(.encodedFile(value)) }
        let text = rest.isEmpty ? Substring(name) : rest.dropFirst()
        add((rest.isEmpty || name.isEmpty ? "" : name + "=") + FormText.encoded(text.utf8))
    }
}
