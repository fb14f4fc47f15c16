import SessionSupport

/// The options of requests in the words of curl.
package enum CurlOptions {
    private static let byName: [String: JobOption] = {
        var result: [String: JobOption] = [:]
        for option in JobOption.table { for name in option.curlNames { result[name] = option } }
        return result
    }()

    /// The option that a word of curl stands for; nil for another one.
    package static func option(named word: String) -> JobOption? {
        byName[word] ?? JobOption.added.first { $0.curlNames.contains(word) }
    }

    /// The name that curl has for an option.
    package static func name(of option: JobOption) -> String { option.curlNames.first ?? "--" + option.name }

    /// The words of a curl command for options, as a shell reads them.
    package static func words(of options: [JobOption.Value]) -> [String] {
        options.flatMap { value -> [String] in
            guard let name = value.option.curlNames.first else { return [] }
            return value.option.isSwitch ? [name] : [name, word(value)]
        }
    }

    /// A value as a word; the place of a secret becomes what a shell reads there.
    private static func word(_ value: JobOption.Value) -> String {
        guard value.option.isSecret else { return quoted(value.text) }
        if let place = expansion(of: SecretText(value.text)) { return place }
        guard value.option.style.secrecy == .behindName, let colon = value.text.firstIndex(of: ":"),
            let place = expansion(of: SecretText(String(value.text[value.text.index(after: colon)...])))
        else { return quoted(value.text) }
        return quoted(String(value.text[...colon])) + place
    }

    private static func expansion(of secret: SecretText) -> String? {
        switch secret {
        case .environment(let name): "\"${\(name)}\""
        case .file(let path): "\"$(cat \(quoted(path)))\""
        case .text: nil
        }
    }

    /// A word in quotes, which a shell leaves as it is.
    package static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// Text as it stands in a form of `application/x-www-form-urlencoded`.
package enum FormText {
    /// The text with everything but letters, digits and `-._~` in percent signs, as curl writes it.
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
