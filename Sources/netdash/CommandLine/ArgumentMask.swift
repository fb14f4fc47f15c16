import Dashboard
import SessionSupport

/// Masks the program's arguments, which every user of the machine can read.
enum ArgumentMask {
    /// What an argument says of the next one.
    private enum Next {
        case value(of: CommandLineOption)
        /// An option that the scanner does not know, such as aria2c's `--http-passwd`, and whose name tells a secret.
        case secret

        func isValue(_ argument: String) -> Bool {
            switch self {
            case .value(let option): option.isValue(argument)
            case .secret: true
            }
        }

        func shown(_ argument: String) -> String {
            switch self {
            case .value(let option): ArgumentMask.value(argument, of: option)
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
                ? long(argument)
                : argument.hasPrefix("-") ? short(argument) : (Redaction.url(argument), nil)
            shown[index] = text
            index += 1
            guard let next, index < arguments.count, next.isValue(arguments[index]) else { continue }
            shown[index] = next.shown(arguments[index])
            index += 1
        }
        return shown
    }

    private static func long(_ argument: String) -> (shown: String, next: Next?) {
        let name = argument.dropFirst(2).prefix { $0 != "=" }
        guard let option = try? CommandLineScanner.option(longName: String(name)) else {
            // A secret may follow a mistyped name.
            guard name.count + 2 == argument.count else { return ("--" + name + "=" + Redaction.mask, nil) }
            // aria2c takes the beginning of a name for it.
            let whole = AriaArgument.completed(String(name))
            return (argument, secretEndings.contains { whole.hasSuffix($0) } ? .secret : nil)
        }
        guard name.count + 2 < argument.count else {
            return (argument, option.valueName == nil ? nil : .value(of: option))
        }
        let attached = String(argument.dropFirst(name.count + 3))
        return ("--" + name + "=" + value(attached, of: option), nil)
    }

    private static func short(_ argument: String) -> (shown: String, next: Next?) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = CommandLineOption.named(letter), option.valueName != nil else { continue }
            guard !letters.isEmpty else { return (argument, .value(of: option)) }
            return (argument.prefix(upTo: letters.startIndex) + value(String(letters), of: option), nil)
        }
        return (argument, nil)
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
