import SessionSupport

/// Translates request options to and from curl's.
package enum CurlOptions {
    private static let byName: [String: JobOption] = {
        var result: [String: JobOption] = [:]
        for option in JobOption.table { for name in option.curlNames { result[name] = option } }
        return result
    }()

    /// The option for a word of curl; nil for an unknown one.
    package static func option(named word: String) -> JobOption? {
        byName[word] ?? JobOption.added.first { $0.curlNames.contains(word) }
    }

    package static func name(of option: JobOption) -> String { option.curlNames.first ?? "--" + option.name }

    /// Options as words of a curl command, quoted for a shell; options that curl lacks are left out.
    package static func words(of options: [JobOption.Value]) -> [String] {
        options.flatMap { value -> [String] in
            guard let name = value.option.curlNames.first else { return [] }
            guard !value.isOff else { return [] }
            return value.option.isSwitch ? [name] : [name, word(value)]
        }
    }

    /// A value as a word; a secret reference becomes the shell's expansion.
    private static func word(_ value: JobOption.Value) -> String {
        guard value.option.isSecret else { return quoted(value.text) }
        if let reference = expansion(of: SecretText(value.text)) { return reference }
        guard value.option.style.secrecy == .behindName, let colon = value.text.firstIndex(of: ":"),
            let reference = expansion(of: SecretText(String(value.text[value.text.index(after: colon)...])))
        else { return quoted(value.text) }
        return quoted(String(value.text[...colon])) + reference
    }

    private static func expansion(of secret: SecretText) -> String? {
        switch secret {
        case .environment(let name): "\"${\(name)}\""
        case .file(let path): "\"$(cat \(quoted(path)))\""
        case .command(let command): "\"$(sh -c \(quoted(command)) | head -n 1)\""
        case .text: nil
        }
    }

    /// A quoted word, which a shell does not expand.
    package static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// Text encoded for `application/x-www-form-urlencoded`.
package enum FormText {
    /// The bytes that `curl -d @FILE` sends of a file.
    package static func withoutLineEnds(_ bytes: [UInt8]) -> [UInt8] {
        bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    }

    /// Percent-encodes everything but letters, digits and `-._~`, as curl does.
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if ByteText.isLetter(byte) || ByteText.isDigit(byte) || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result += ByteText.hexadecimal(CollectionOfOne(byte)).uppercased().utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
