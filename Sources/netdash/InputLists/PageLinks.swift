import Dashboard
import SessionSupport
import TransferService

/// The links of an HTML page, such as the index of a folder.
///
/// It reads tags only, and no script: a page that makes its links later has none here.
struct PageLinks {
    private static let linkLimit = 100_000

    /// Whether a document is a page, by its first tags.
    @Sendable static func isLike(_ beginning: String) -> Bool {
        guard beginning.first(where: { !$0.isWhitespace }) == "<" else { return false }
        if beginning.contains("<!doctype"), beginning.contains("html") { return true }
        return ["<html", "<head", "<body", "<title", "<pre", "<a ", "<table", "<ul"]
            .contains { beginning.contains($0) }
    }

    /// The downloads that a page names, each once.
    static func contents(of page: ListDocument) throws(UsageError) -> ListFormat.Contents {
        var reader = PageLinks(bytes: page.bytes)
        reader.read()
        let base = reader.base.flatMap { base in
            page.address.map { LinkAddress.resolved(base, against: $0) } ?? (URLScan(base).isWebAddress ? base : nil)
        }
        guard let address = base ?? page.address ?? reader.links.first(where: { URLScan($0).isWebAddress }) else {
            throw UsageError(argument: page.name, PageUsage.noBase)
        }
        let isRelative = base != nil || page.address != nil
        // A link to the page itself sorts its index by another column.
        func place(_ url: String) -> Substring { url[..<URLScan(url).lastComponent.upperBound] }
        let own = page.address.map(place)
        var seen: Set<String> = []
        var jobs: [Job] = []
        for link in reader.links where isRelative || URLScan(link).isWebAddress {
            guard var url = LinkAddress.resolved(link, against: address) else { continue }
            if let fragment = URLScan(url).fragment { url = String(url[..<fragment.lowerBound].dropLast()) }
            let isSame = URLScan.haveSameServer(url, page.address ?? address)
            guard page.choice.takes(url, onSameServer: isSame), place(url) != own, seen.insert(url).inserted else {
                continue
            }
            jobs.append(page.download(url, number: jobs.count + 1))
            guard jobs.count <= linkLimit else {
                throw UsageError(argument: page.name, MetalinkUsage.tooManyFiles(linkLimit))
            }
        }
        guard !jobs.isEmpty else {
            throw UsageError(
                argument: page.name,
                page.choice.isEmpty ? PageUsage.noLink : PageUsage.noMatch(reader.links.count))
        }
        return ListFormat.Contents(jobs: jobs)
    }

    // MARK: - Tags

    private let bytes: [UInt8]
    private var position = 0
    /// The values of `href`, in their order.
    private(set) var links: [String] = []
    /// What relative links are relative to, where the page says so.
    private(set) var base: String?

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() {
        while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = open + 1
            if bytes[position...].starts(with: "!--".utf8) {
                skip(past: "-->")
                continue
            }
            let name = word()
            guard !name.isEmpty else { continue }
            let attributes = attributes()
            switch name {
            case "a", "area": if let link = attributes["href"], !link.isEmpty { links.append(link) }
            case "base": base = base ?? attributes["href"]
            case "script", "style": skip(past: "</" + name)
            default: break
            }
        }
    }

    /// Skips a text, in upper or lower case; to the end where it does not come.
    private mutating func skip(past text: String) {
        let wanted = Array(text.utf8)
        while position + wanted.count <= bytes.count {
            let found = bytes[position..<position + wanted.count].map(Self.lowercased)
            position += 1
            if found == wanted { return position += wanted.count - 1 }
        }
        position = bytes.count
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }

    /// The word at the position in lower case.
    private mutating func word() -> String {
        let start = position
        while position < bytes.count, !Self.isBlank(bytes[position]), !"=>/<\"'".utf8.contains(bytes[position]) {
            position += 1
        }
        return String(decoding: bytes[start..<position].map(Self.lowercased), as: UTF8.self)
    }

    /// The attributes of a tag, to its end; the first of equal ones counts.
    private mutating func attributes() -> [String: String] {
        var found: [String: String] = [:]
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            guard !Self.isBlank(bytes[position]), bytes[position] != UInt8(ascii: "/") else {
                position += 1
                continue
            }
            let name = word()
            guard !name.isEmpty else {
                position += 1
                continue
            }
            skipBlanks()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
            position += 1
            skipBlanks()
            let value = value()
            if found[name] == nil { found[name] = value }
        }
        return found
    }

    private mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    private mutating func value() -> String {
        guard position < bytes.count else { return "" }
        let quote = bytes[position]
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { position += 1 }
        let start = position
        while position < bytes.count,
            isQuoted ? bytes[position] != quote : !Self.isBlank(bytes[position]) && bytes[position] != UInt8(ascii: ">")
        {
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isQuoted { position = min(position + 1, bytes.count) }
        let plain = text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\t" }
        return ByteText.trimmed(Self.unescaped(String(String.UnicodeScalarView(plain)))[...])
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]

    /// A value with its character references replaced; unknown ones stay.
    static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "&", let end = rest.prefix(12).firstIndex(of: ";") else {
                result.append(character)
                continue
            }
            let name = rest[..<end]
            let number =
                name.hasPrefix("#x") || name.hasPrefix("#X")
                ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst(1)) : nil
            if let text = entities[String(name)] ?? number.flatMap(Unicode.Scalar.init).map({ String($0) }) {
                result += text
                rest = rest[end...].dropFirst()
            } else {
                result.append(character)
            }
        }
        return result
    }
}
