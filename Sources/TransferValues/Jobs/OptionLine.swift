import SessionSupport

/// Options of a job in one line, as the add form has them: `proxy=http://h:3128; insecure`.
extension [JobOption.Value] {
    /// The line, with stars for secrets.
    package var line: String { map(\.line).joined(separator: "; ") }

    /// The options of a line; what is hidden in it is taken from those it was made of.
    package static func reading(_ line: String, hidden: [JobOption.Value]) throws(UsageError) -> [JobOption.Value] {
        var values: [JobOption.Value] = []
        for part in pieces(of: line) {
            let name = part.prefix { $0 != "=" }
            let text = part.count > name.count ? ByteText.trimmed(part.dropFirst(name.count + 1)) : ""
            guard let option = JobOption.named(ByteText.trimmed(name)) else {
                throw UsageError("There is no option \(ByteText.trimmed(name)); write name=value; name=value")
            }
            guard let value = try value(option, text, hidden) else { continue }
            values.set(value)
        }
        return values
    }

    /// One option of a line; nil for a switch that is off.
    private static func value(
        _ option: JobOption, _ text: String, _ hidden: [JobOption.Value]
    ) throws(UsageError) -> JobOption.Value? {
        if option.isSwitch {
            guard ["", "yes", "no"].contains(text) else {
                throw UsageError("\(option.name) is written alone, or with =yes or =no")
            }
            return text == "no" ? nil : JobOption.Value(option)
        }
        if let known = hidden.first(where: { $0.option == option && $0.shownText == text }) { return known }
        guard !text.contains(Redaction.mask) else {
            throw UsageError("Write out what the stars of \(option.name) stand for")
        }
        do throws(OptionProblem) {
            return try JobOption.Value(checking: option, text)
        } catch {
            throw UsageError("\(option.name): \(error.sentence)")
        }
    }

    /// Splits at semicolons behind which another option begins: values may have semicolons of their own.
    private static func pieces(of line: String) -> [String] {
        var pieces: [String] = []
        for part in line.split(separator: ";") {
            let name = ByteText.trimmed(part.prefix { $0 != "=" })
            if JobOption.named(name) != nil || pieces.isEmpty {
                let piece = ByteText.trimmed(part)
                if !piece.isEmpty { pieces.append(piece) }
            } else {
                pieces[pieces.count - 1] += ";" + part
            }
        }
        return pieces
    }
}
