package import SessionSupport

/// A file name with parts that the URL fills in, such as `#1/{host}/{name}`.
///
/// A value never leaves the folder before it: it has no slash, begins with no dot, and is no secret. Without a
/// placeholder a name is no template, so that a file can be named `{x}`.
package struct NameTemplate: Sendable, Equatable {
    /// A placeholder in braces.
    package enum Field: String, CaseIterable, Sendable {
        case host, port, path, name, base, ext, query, date, time, number

        /// One phrase of the manual page.
        package var meaning: String {
            switch self {
            case .host: TemplateHelp.host
            case .port: TemplateHelp.port
            case .path: TemplateHelp.path
            case .name: TemplateHelp.name
            case .base: TemplateHelp.base
            case .ext: TemplateHelp.ext
            case .query: TemplateHelp.query
            case .date: TemplateHelp.date
            case .time: TemplateHelp.time
            case .number: TemplateHelp.number
            }
        }

        /// All placeholders as they are written.
        package static var words: String { allCases.map { "{\($0.rawValue)}" }.joined(separator: " ") }
    }

    private enum Part: Sendable, Equatable {
        case text(String)
        case field(Field)
        /// The value of a pattern in the URL, from 1.
        case glob(Int)

        /// Its text; nil for a placeholder.
        var literal: String? {
            if case .text(let text) = self { text } else { nil }
        }
        var isText: Bool { literal != nil }
    }

    /// The parts of each component between slashes.
    private let components: [[Part]]

    /// Parses a template; nil for a name without a placeholder.
    package init?(_ text: String, label: String) throws(UsageError) {
        var components: [[Part]] = []
        var unknown: [String] = []
        for component in text.split(separator: "/", omittingEmptySubsequences: false) {
            components.append(Self.parts(of: component, &unknown))
        }
        guard let first = components.firstIndex(where: { !$0.allSatisfy(\.isText) }) else {
            for word in unknown {
                guard let near = Suggestion.nearest(to: word, among: Field.allCases.map(\.rawValue)) else { continue }
                throw UsageError(argument: label, TemplateUsage.unknown(word, near))
            }
            return nil
        }
        if let word = unknown.first {
            throw UsageError(argument: label, TemplateUsage.unknown(word, known: Field.words))
        }
        guard !components[first...].contains([.text("..")]) else {
            throw UsageError(argument: label, TemplateUsage.leavesFolder)
        }
        self.components = components
    }

    /// The texts, fields and numbers of a component.
    private static func parts(of text: Substring, _ unknown: inout [String]) -> [Part] {
        var parts: [Part] = []
        var plain = ""
        var rest = text
        func end() {
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
        }
        while let character = rest.popFirst() {
            let digits = character == "#" ? rest.prefix { $0.isASCII && $0.isNumber } : ""
            if let number = Int(digits), (1...999).contains(number) {
                end()
                parts.append(.glob(number))
                rest = rest.dropFirst(digits.count)
                continue
            }
            if character == "{", let close = rest.firstIndex(of: "}") {
                let word = String(rest[..<close])
                if let field = Field(rawValue: word) {
                    end()
                    parts.append(.field(field))
                    rest = rest[close...].dropFirst()
                    continue
                }
                if !word.isEmpty, word.utf8.allSatisfy(ByteText.isLetter) { unknown.append(word) }
            }
            plain.append(character)
        }
        end()
        return parts
    }

    /// Whether it differs with the URL, not only with the values of its pattern.
    package var hasFields: Bool {
        components.joined().contains { part in
            if case .field(let field) = part { field != .date && field != .time } else { false }
        }
    }

    /// The name for a URL; one with a slash at the end is a folder, in which the server names the file.
    ///
    /// - Parameter values: what the URL's patterns stand for, in their order.
    package func output(
        for url: String, _ values: [String] = [], number: Int = 1, clock: LocalClock = .system
    ) -> Job.Output {
        var parts: [String] = []
        for (index, component) in components.enumerated() {
            guard !component.allSatisfy(\.isText) else {
                parts.append(component.map { $0.literal ?? "" }.joined())
                continue
            }
            let value =
                component == [.field(.path)]
                ? ServerFolders.path(of: url)
                : entry(component.map { text(of: $0, url, values, number, clock) }, beginsWithText: component[0].isText)
            // An empty value leaves out its folder; a file always has a name.
            if !value.isEmpty {
                parts.append(value)
            } else if index == components.count - 1 {
                parts.append(JobDestination.unnamedFile)
            }
        }
        return .name(parts.joined(separator: "/"))
    }

    private func text(
        of part: Part, _ url: String, _ values: [String], _ number: Int, _ clock: LocalClock
    ) -> String {
        switch part {
        case .text(let text): text
        case .glob(let index): values.indices.contains(index - 1) ? safe(values[index - 1]) : "#\(index)"
        case .field(let field): safe(Self.value(of: field, url, number, clock))
        }
    }

    private static func value(of field: Field, _ url: String, _ number: Int, _ clock: LocalClock) -> String {
        let scan = URLScan(url)
        let name = ServerFolders.name(of: url) ?? JobDestination.unnamedFile
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
        let now = clock.reading(clock.now())
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        switch field {
        case .host: return scan.host.map { String(url[$0]) } ?? ""
        case .port: return scan.port.map { String(url[$0]) } ?? (url.hasPrefix("https:") ? "443" : "80")
        case .path: return ServerFolders.path(of: url)
        case .name: return name
        case .base: return dot.map { String(name[..<$0]) } ?? name
        case .ext: return dot.map { String(name[$0...].dropFirst()) } ?? ""
        case .query:
            let hidden = Redaction.url(url, userInfo: .removed)
            let query = URLScan(hidden).query.map { String(hidden[$0].drop { $0 == "?" }) } ?? ""
            return query.replacing(Redaction.mask, with: "_")
        case .date: return digits(now.year, 4) + "-" + digits(now.month) + "-" + digits(now.day)
        case .time: return digits(now.hour) + digits(now.minute)
        case .number: return String(number)
        }
    }

    /// A value without characters that a path or a terminal would understand.
    private func safe(_ value: String) -> String {
        String(
            String.UnicodeScalarView(
                value.unicodeScalars.map { scalar in
                    let isUnfit = scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control
                    return isUnfit ? "_" : scalar
                }))
    }

    /// One directory entry: neither hidden by a value nor longer than a file system allows.
    private func entry(_ texts: [String], beginsWithText: Bool) -> String {
        var text = texts.joined()
        if text.hasPrefix("."), !beginsWithText || text == "." || text == ".." { text = "_" + text.dropFirst() }
        guard text.utf8.count > JobDestination.longestName else { return text }
        let dot = text.lastIndex(of: ".") ?? text.endIndex
        let ending = text[dot...].utf8.count <= 32 ? String(text[dot...]) : ""
        var kept = ""
        for character in text {
            guard kept.utf8.count + character.utf8.count + ending.utf8.count <= JobDestination.longestName else {
                break
            }
            kept.append(character)
        }
        return kept + ending
    }
}
