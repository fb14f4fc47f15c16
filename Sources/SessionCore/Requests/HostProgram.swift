import Foundation
import Glibc
import SessionSupport

/// What requests say of the program that sends them, which is the library's user and not the library.
enum HostProgram {
    /// The languages of the user, as `Accept-Language` names them: at most six, each a tenth less wanted than the one
    /// before (RFC 9110, 12.5.4).
    static func acceptLanguage(of environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        languages(of: environment).prefix(6).enumerated().map { index, language in
            language + ";q=" + (index == 0 ? "1" : "0.\(10 - index)")
        }.joined(separator: ", ")
    }

    /// The languages in their order, from the variables that locales are named by; English where they name none.
    private static func languages(of environment: [String: String]) -> [String] {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        let locale = names.first { !$0.isEmpty } ?? ""
        // As gettext does: the list counts only where there is a locale to begin with.
        let list = isNeutral(locale) ? "" : environment["LANGUAGE"] ?? ""
        var tags: [String] = []
        for name in list.split(separator: ":").map(String.init) + [locale] {
            guard let tag = tag(of: name), !tags.contains(tag) else { continue }
            tags.append(tag)
        }
        return tags.isEmpty ? ["en"] : tags
    }

    private static func isNeutral(_ locale: String) -> Bool {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return ["", "C", "POSIX"].contains(name)
    }

    /// `de_AT.UTF-8@euro` as `de-AT`; nil for what is no language.
    private static func tag(of locale: String) -> String? {
        guard !isNeutral(locale) else { return nil }
        let tag = String(locale.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
        let isTag = tag.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || ByteText.isLetter(byte) || ByteText.isDigit(byte)
        }
        return isTag && tag.first?.isLetter == true ? tag : nil
    }

    /// `name/version (Linux; x86_64)`, without a version where the program names none.
    static func userAgent(
        name: String = ProcessInfo.processInfo.processName, version: String? = nil
    ) -> String {
        let version = version.map { "/" + token($0) } ?? ""
        return token(name) + version + " (Linux; \(machine))"
    }

    /// A name as one word of a header field: accents go, as does whatever else no token may have (RFC 9110, 5.6.2).
    private static func token(_ name: String) -> String {
        let plain = name.decomposedStringWithCanonicalMapping.utf8.filter(ByteText.isToken)
        return plain.isEmpty ? "program" : String(decoding: plain, as: UTF8.self)
    }

    private static var machine: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
