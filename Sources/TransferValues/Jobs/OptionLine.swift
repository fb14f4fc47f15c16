import SessionSupport

/// Parses the option line of the add form: request options and job keys, as in `proxy=http://h:3128; insecure`.
package struct OptionLine: Sendable {
    package private(set) var options: [JobOption.Value] = []
    private var keys: [JobKey.Setter] = []

    /// Reads a line; masked values are taken from the options the line was made of.
    package init(_ line: String, hidden: [JobOption.Value] = []) throws(UsageError) {
        let pieces = Self.pieces(of: line)
        for (index, piece) in pieces.enumerated() {
            let part = Part(piece)
            let (name, text) = (part.name, part.text)
            if let option = JobOption.named(name) {
                guard option.isSwitch || part.hasSign else {
                    throw UsageError(OptionLineErrors.needsValue(name))
                }
                if let value = try Self.value(option, text, hidden) { options.set(value) }
            } else if let key = JobKey.named(name) {
                try add(key, text)
            } else {
                let isField = Self.namesOfFields.contains(ByteText.lowercased(name[...]))
                throw UsageError(isField ? OptionLineErrors.ofField(name) : Self.unknown(name, at: index))
            }
        }
    }

    /// One setting of a line: `name=text`, or the name alone.
    struct Part {
        let name: String
        let text: String
        let hasSign: Bool

        init(_ piece: String) {
            let word = piece.prefix { $0 != "=" }
            name = ByteText.trimmed(word)
            hasSign = piece.count > word.count
            text = hasSign ? ByteText.trimmed(piece.dropFirst(word.count + 1)) : ""
        }
    }

    /// The keys of a list that are fields of the form.
    static let namesOfFields: Set<String> = [
        "url", "kind", "method", "header", "headers", "body", "body-file", "out", "dir", "checksum", "continue",
        "pause",
    ]

    /// The line of a job, with stars for secrets and the keys in which the job differs from the defaults.
    package static func text(of job: Job, defaults: Job) -> String {
        let keys = JobKey.said(by: job, beside: defaults).map { "\($0.name)=\($0.text)" }
        return (job.options.map(\.line) + keys).map(escaped).joined(separator: "; ")
    }

    /// Applies the line to a job; keys that it lacks get their defaults.
    package func set(on job: inout Job, defaults: Job) {
        job.options = options
        for key in JobKey.allCases { key.copy(defaults, &job) }
        for set in keys { set(&job) }
    }

    private mutating func add(_ key: JobKey, _ text: String) throws(UsageError) {
        do throws(OptionProblem) {
            keys.append(try key.reading(text))
        } catch {
            throw UsageError(OptionLineErrors.problem(key.name, error.sentence))
        }
    }

    /// One option of a line; nil for a switch that is off, unless the run may have it on or another option says so.
    static func value(
        _ option: JobOption, _ text: String, _ hidden: [JobOption.Value]
    ) throws(UsageError) -> JobOption.Value? {
        if option.isSwitch {
            guard ["", "yes", "no"].contains(text) else {
                throw UsageError(OptionLineErrors.switchValue(option.name))
            }
            let isLeftOut = text == "no" && option.reach != .run && option.opposite == nil
            return isLeftOut ? nil : option.value(isOn: text != "no")
        }
        if let known = hidden.first(where: { $0.option == option && $0.shownText == text }) { return known }
        guard !text.contains(Redaction.mask) else {
            throw UsageError(OptionLineErrors.hidden(option.name))
        }
        do throws(OptionProblem) {
            return try JobOption.Value(checking: option, text)
        } catch {
            throw UsageError(OptionLineErrors.problem(option.name, error.sentence))
        }
    }

    /// The sentence about a name that is no setting; after another one it may belong to that one's value.
    static func unknown(_ name: String, at index: Int) -> String {
        index == 0 ? OptionLineErrors.unknown(name) : OptionLineErrors.unknownOrValue(name)
    }

    /// Splits at semicolons that another name follows, or what looks like one; `\;` belongs to the value.
    ///
    /// In cookies only a known name begins another setting, because `a=1; b=2` is what a browser shows.
    static func pieces(of line: String, knowing others: Set<String> = []) -> [String] {
        var pieces: [String] = []
        for part in line.split(separator: ";") {
            let begins = begins(part, others)
            let isEscaped = pieces.last?.hasSuffix(escape) == true
            if isEscaped { pieces[pieces.count - 1].removeLast(escape.count) }
            let isCookie = begins && pieces.last.map(hasCookies) == true && !isKnown(part, others)
            if pieces.isEmpty || begins && !isEscaped && !isCookie {
                let piece = ByteText.trimmed(part)
                if !piece.isEmpty { pieces.append(piece) }
            } else {
                pieces[pieces.count - 1] += ";" + part
            }
        }
        return pieces
    }

    private static let escape = "\\"

    /// Whether the text after a semicolon is a setting: a known name, or after a space `name=`, which may be a mistyped
    /// one.
    private static func begins(_ part: Substring, _ others: Set<String>) -> Bool {
        let name = ByteText.trimmed(part.prefix { $0 != "=" })
        if isKnown(part, others) { return true }
        return part.first == " " && part.contains("=") && name.first?.isLetter == true
            && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    private static func isKnown(_ part: Substring, _ others: Set<String>) -> Bool {
        let name = ByteText.trimmed(part.prefix { $0 != "=" })
        return JobOption.named(name) != nil || JobKey.named(name) != nil || others.contains(name)
    }

    /// Whether the value of a setting is one or more cookies.
    private static func hasCookies(_ piece: String) -> Bool {
        let part = Part(piece)
        switch part.name {
        case JobOption.cookie.name: return part.text.contains("=")
        case "header", JobOption.secretHeader.name:
            return ByteText.isSame(ByteText.trimmed(part.text.prefix { $0 != ":" }), "Cookie")
        default: return false
        }
    }

    /// One setting as a piece of a line.
    private static func escaped(_ setting: String) -> String {
        var parts = setting.split(separator: ";", omittingEmptySubsequences: false)[...]
        var text = String(parts.removeFirst())
        for part in parts { text += (begins(part, []) || text.hasSuffix(escape) ? escape : "") + ";" + part }
        return text
    }
}
