import Dashboard
import SessionSupport

/// Masks the program's arguments, which every user of the machine can read.
enum ArgumentMask {
    /// What an option's value is.
    private enum Value {
        case of(CommandLineOption)
        case url
        /// A text that nothing uses.
        case unused
        /// The value of an option that the scanner refuses, such as aria2c's `--http-passwd`, and whose name tells a
        /// secret.
        case secret

        init?(_ option: CommandLineOption) {
            guard option.valueName != nil else { return nil }
            self = .of(option)
        }

        init?(_ foreign: ForeignOption) {
            switch foreign.operand {
            case .none: return nil
            case .value(let option): self = .of(option)
            case .url: self = .url
            case .unused: self = .unused
            }
        }

        /// Whether the next argument is it.
        func isValue(_ argument: String) -> Bool {
            if case .of(let option) = self { option.isValue(argument) } else { true }
        }

        func shown(_ text: String) -> String {
            switch self {
            case .of(let option): ArgumentMask.value(text, of: option)
            case .url: Redaction.url(text)
            case .unused: text
            case .secret: Redaction.mask
            }
        }
    }

    private static let secretEndings = ["passwd", "password", "secret", "token"]

    /// The arguments without the program's name, with stars in place of secrets.
    ///
    /// It parses them like ``CommandLineScanner``, but accepts wrong ones too: a typing error must not reveal a
    /// password.
    static func shown(_ arguments: [String]) -> [String] {
        var shown = arguments
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if argument == "--" {
                for rest in index + 1..<max(index + 1, arguments.count) { shown[rest] = Redaction.url(arguments[rest]) }
                break
            }
            let (text, next) =
                argument.hasPrefix("--")
                ? long(argument) : argument.hasPrefix("-") ? short(argument) : (operand(argument), nil)
            shown[index] = text
            index += 1
            guard let next, index < arguments.count, next.isValue(arguments[index]) else { continue }
            shown[index] = next.shown(arguments[index])
            index += 1
        }
        return shown
    }

    private static func long(_ argument: String) -> (shown: String, next: Value?) {
        let name = String(argument.dropFirst(2).prefix { $0 != "=" })
        let attached = name.count + 2 < argument.count ? String(argument.dropFirst(name.count + 3)) : nil
        guard let value = value(ofLong: name) else {
            // A secret may follow a mistyped name, and a switch has no value but yes and no.
            guard let attached, !attached.isEmpty, CommandLineScanner.answer(attached) == nil else {
                return (argument, nil)
            }
            return ("--" + name + "=" + Redaction.mask, nil)
        }
        guard let attached else { return (argument, value) }
        return ("--" + name + "=" + value.shown(attached), nil)
    }

    /// The value of a long name in the scanner's order; nil for a switch and for an unknown name that tells no secret.
    private static func value(ofLong name: String) -> Value? {
        if let foreign = CommandLineScanner.foreign(longName: name) { return Value(foreign) ?? secret(name) }
        if let option = try? CommandLineScanner.option(longName: name) { return Value(option) }
        // aria2c takes the beginning of a name for it.
        let whole = AriaArgument.completed(name)
        return whole == name ? secret(name) : value(ofLong: whole)
    }

    private static func secret(_ name: String) -> Value? {
        secretEndings.contains { name.hasSuffix($0) } ? .secret : nil
    }

    private static func short(_ argument: String) -> (shown: String, next: Value?) {
        if argument.count > 2, ForeignOption.named(argument) != nil { return (argument, nil) }
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let value = value(ofLetter: letter) else { continue }
            guard !letters.isEmpty else { return (argument, value) }
            return (argument.prefix(upTo: letters.startIndex) + value.shown(String(letters)), nil)
        }
        return (argument, nil)
    }

    private static func value(ofLetter letter: Character) -> Value? {
        if let option = CommandLineScanner.option(letter: letter) { return Value(option) }
        return ForeignOption.named("-\(letter)").flatMap { Value($0) }
    }

    /// A URL, or an item of a request such as `Authorization:Bearer x` and `password:=1`.
    private static func operand(_ argument: String) -> String {
        guard let colon = argument.firstIndex(of: ":"), !argument.contains("://") else {
            return Redaction.url(argument)
        }
        let name = String(argument[..<colon])
        let isSecret = Redaction.hidesField(name) || Redaction.hidesParameter(name)
        return isSecret ? argument[...colon] + Redaction.mask : Redaction.url(argument)
    }

    private static func value(_ text: String, of option: CommandLineOption) -> String {
        if let job = option.job { return JobOption.Value(job, text).shownText }
        switch option {
        case .header:
            guard let colon = text.firstIndex(of: ":") else { return Redaction.mask }
            let field = ByteText.trimmed(text[text.index(after: colon)...])
            let shown = Redaction.header(name: String(text[..<colon]), value: field)
            return shown == field ? text : text[...colon] + " " + shown
        case .rpcSecret: return SecretText(text).isReference ? text : Redaction.mask
        case .body:
            return !text.hasPrefix("@") && Redaction.hidesBody(Array(text.utf8)) ? Redaction.mask : text
        default: return text
        }
    }
}
