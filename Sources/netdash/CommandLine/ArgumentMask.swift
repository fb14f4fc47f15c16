import Dashboard
import SessionSupport

/// Masks the program's arguments, which every user of the machine can read.
enum ArgumentMask {
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
            let (text, waiting) =
                argument.hasPrefix("--")
                ? long(argument)
                : argument.hasPrefix("-") ? short(argument) : (Redaction.url(argument), nil)
            shown[index] = text
            index += 1
            guard let waiting, index < arguments.count, waiting.isValue(arguments[index]) else { continue }
            shown[index] = value(arguments[index], of: waiting)
            index += 1
        }
        return shown
    }

    /// A long option, and the option whose value is the next argument.
    private static func long(_ argument: String) -> (shown: String, waiting: CommandLineOption?) {
        let name = argument.dropFirst(2).prefix { $0 != "=" }
        guard let option = try? CommandLineScanner.option(longName: String(name)) else {
            // A secret may follow a mistyped name.
            return (name.count + 2 == argument.count ? argument : "--" + name + "=" + Redaction.mask, nil)
        }
        guard name.count + 2 < argument.count else { return (argument, option.valueName == nil ? nil : option) }
        let attached = String(argument.dropFirst(name.count + 3))
        return ("--" + name + "=" + value(attached, of: option), nil)
    }

    /// Short options, and the one whose value is the next argument.
    private static func short(_ argument: String) -> (shown: String, waiting: CommandLineOption?) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = CommandLineOption.named(letter), option.valueName != nil else { continue }
            guard !letters.isEmpty else { return (argument, option) }
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
