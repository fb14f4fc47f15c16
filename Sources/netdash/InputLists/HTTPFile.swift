import Dashboard
import SessionSupport

/// The requests of a `.http` file, as editors write them.
///
/// `###` separates them, and a name may follow it or stand in `# @name`. `@variable = value` defines what `{{variable}}`
/// stands for below it, and `{{$env NAME}}` is a variable of the environment. What a request would do differently
/// elsewhere, such as a script, is refused.
struct HTTPFile: Sendable {
    /// One request.
    struct Request: Sendable, Equatable {
        /// The request's name; nil for a request without one.
        var name: String?
        var method: String?
        var url: String
        var headers: [HeaderFields.Field] = []
        var body = Job.Body.none
        /// The number of its first line.
        var line: Int
        /// Why it cannot be sent, such as a variable without a value; the other requests can.
        var refusal: UsageError?

        fileprivate var checked: Request {
            get throws(UsageError) {
                if let refusal { throw refusal }
                return self
            }
        }
    }

    private let found: [Request]
    /// The used values of the environment.
    let secrets: Set<String>

    /// Reads a file; `name` is used in messages, and `folder` is where its files lie.
    init(_ text: String, name: String, folder: String, environment: [String: String]) throws(UsageError) {
        var reader = HTTPFileReader(name: name, folder: folder, environment: environment)
        let text = ByteText.withoutByteOrderMark(text).replacing("\r\n", with: "\n")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { try reader.read(String(line)) }
        try reader.endRequest()
        (found, secrets) = (reader.requests, reader.variables.secrets)
        guard !found.isEmpty else { throw UsageError(argument: name, HTTPFileUsage.empty) }
    }

    /// All requests in their order.
    var requests: [Request] {
        get throws(UsageError) {
            for request in found { _ = try request.checked }
            return found
        }
    }

    /// The request of a name, or of a number from 1 on.
    func request(named wanted: String, label: String) throws(UsageError) -> Request {
        let named = found.filter { $0.name == wanted }
        guard named.count < 2 else {
            let numbers = found.indices.filter { found[$0].name == wanted }.map { String($0 + 1) }
            throw UsageError(argument: label, HTTPFileUsage.ambiguous(wanted, numbers.joined(separator: ", ")))
        }
        if let only = named.first { return try only.checked }
        if let number = ByteText.decimal(wanted), found.indices.contains(Int(number) - 1) {
            return try found[Int(number) - 1].checked
        }
        let names = found.compactMap(\.name).prefix(8).joined(separator: ", ")
        throw UsageError(argument: label, HTTPFileUsage.unknownName(wanted, names, found.count))
    }
}

/// Reads a `.http` file line by line.
struct HTTPFileReader {
    /// The part of a request that a line belongs to.
    private enum Part {
        /// Names, variables and comments.
        case start
        case head
        case body
    }

    let name: String
    let folder: String
    private(set) var requests: [HTTPFile.Request] = []
    private(set) var variables: HTTPFileVariables
    private var part = Part.start
    private var number = 0
    private var title: String?
    private var request: HTTPFile.Request?
    /// Why the request cannot be sent; its text has gaps then.
    private var refusal: UsageError?
    /// The lines of the body with the number of the first one.
    private var body: (first: Int, lines: [String]) = (0, [])

    init(name: String, folder: String, environment: [String: String]) {
        (self.name, self.folder) = (name, folder)
        variables = HTTPFileVariables(environment: environment)
    }

    private var label: String { "\(name):\(number)" }

    mutating func read(_ line: String) throws(UsageError) {
        number += 1
        guard !line.hasPrefix("###") else {
            try endRequest()
            let text = ByteText.trimmed(line.drop { $0 == "#" })
            title = text.isEmpty ? nil : text
            return
        }
        switch part {
        case .start: try readStart(line)
        case .head: try readHead(line)
        case .body: body.lines.append(line)
        }
    }

    private mutating func readStart(_ line: String) throws(UsageError) {
        let text = ByteText.trimmed(line[...])
        if text.isEmpty { return }
        if let comment = try comment(text) { return title = comment.name ?? title }
        guard !text.hasPrefix("@") else { return try define(text) }
        if Self.isOfEarlierResponse(text) { return }
        try refuseForeign(text)
        try begin(text)
    }

    /// A comment, and the name in it; nil for another line.
    private func comment(_ text: String) throws(UsageError) -> (name: String?, Void)? {
        guard text.hasPrefix("#") || text.hasPrefix("//") else { return nil }
        let content = ByteText.trimmed(text.drop { $0 == "#" || $0 == "/" })
        guard content.hasPrefix("@") else { return (nil, ()) }
        let words = content.split(separator: " ", maxSplits: 1)
        guard words[0] == "@name", words.count == 2 else {
            throw UsageError(argument: label, HTTPFileUsage.unknownMark(String(words[0])))
        }
        return (ByteText.trimmed(words[1]), ())
    }

    private mutating func define(_ text: String) throws(UsageError) {
        let parts = text.dropFirst().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let variable = ByteText.trimmed(parts[0])
        guard parts.count == 2, HTTPFileVariables.isName(variable) else {
            throw UsageError(argument: label, HTTPFileUsage.variable)
        }
        let filling = variables.fill(ByteText.trimmed(parts[1]), label: label)
        variables.define(variable, filling)
    }

    /// Whether an editor has added the line, with the file of an earlier response.
    private static func isOfEarlierResponse(_ text: String) -> Bool { text.hasPrefix("<> ") }

    /// Refuses scripts and imports, which change what requests do.
    private func refuseForeign(_ text: String) throws(UsageError) {
        for mark in ["< {%", "<{%", "> ", ">> ", ">{%", "import ", "run "] where text.hasPrefix(mark) {
            throw UsageError(argument: label, HTTPFileUsage.foreign(ByteText.trimmed(mark[...])))
        }
    }

    /// Methods of editors for other protocols.
    private static let foreignMethods: Set<String> = ["GRAPHQL", "GRPC", "RSOCKET", "WEBSOCKET"]

    private mutating func begin(_ text: String) throws(UsageError) {
        var words = filled(text).split { $0 == " " || $0 == "\t" }.map(String.init)
        if words.count > 1, words.last?.hasPrefix("HTTP/") == true { words.removeLast() }
        var method: String?
        if words.count > 1 {
            // Methods are case-sensitive; a word in lower case is a command such as curl.
            guard words[0] == words[0].uppercased() else {
                throw UsageError(argument: label, HTTPFileUsage.requestLine)
            }
            method = try ValueParser.method(words.removeFirst(), label: label)
        }
        if let method, Self.foreignMethods.contains(method) {
            throw UsageError(argument: label, HTTPFileUsage.protocolOf(method))
        }
        guard words.count == 1, refusal != nil || !URLText.isWord(words[0]) else {
            throw UsageError(argument: label, HTTPFileUsage.requestLine)
        }
        request = HTTPFile.Request(name: title, method: method, url: words[0], line: number)
        part = .head
    }

    private mutating func readHead(_ line: String) throws(UsageError) {
        let text = ByteText.trimmed(line[...])
        guard !text.isEmpty else {
            part = .body
            body = (number + 1, [])
            return
        }
        if let comment = try comment(text) {
            if let name = comment.name { request?.name = name }
            return
        }
        if line.first == " " || line.first == "\t", text.hasPrefix("?") || text.hasPrefix("&") {
            guard request?.headers.isEmpty == true else { throw UsageError(argument: label, HTTPFileUsage.requestLine) }
            let query = filled(text)
            request?.url += query
            return
        }
        if Self.isOfEarlierResponse(text) { return }
        try refuseForeign(text)
        let field = try ValueParser.header(filled(text), label: label)
        request?.headers.append(Self.encoded(field))
    }

    /// The field with a name and a password of `Basic` as the protocol has them; editors let them be written plainly.
    private static func encoded(_ field: HeaderFields.Field) -> HeaderFields.Field {
        let words = field.value.split(separator: " ", maxSplits: 1).map(String.init)
        guard ByteText.isSame(field.name, "Authorization"), words.count == 2, ByteText.isSame(words[0], "Basic") else {
            return field
        }
        // "NAME PASSWORD" or "NAME:PASSWORD"; Base64 has neither sign.
        guard let end = words[1].firstIndex(where: { $0 == " " || $0 == ":" }) else { return field }
        let login = words[1][..<end] + ":" + words[1][words[1].index(after: end)...]
        return HeaderFields.Field(name: field.name, value: "Basic " + Base64.encode(Array(login.utf8)))
    }

    // MARK: - The end

    mutating func endRequest() throws(UsageError) {
        defer { (part, title, request, refusal, body) = (.start, nil, nil, nil, (0, [])) }
        guard var request else { return }
        if request.url.hasPrefix("/"), let host = request.headers.first(where: { ByteText.isSame($0.name, "Host") }) {
            let isEncrypted = [":443", ":8443"].contains { host.value.hasSuffix($0) }
            request.url = (isEncrypted ? "https://" : "http://") + host.value + request.url
            request.headers.removeAll { ByteText.isSame($0.name, "Host") }
        }
        if refusal == nil { request.url = try URLText.checked(request.url, label: "\(name):\(request.line)") }
        let type = request.headers.first { ByteText.isSame($0.name, "Content-Type") }?.value ?? ""
        request.body = try finishedBody(of: ByteText.lowercased(type[...]))
        request.refusal = refusal
        requests.append(request)
    }

    private mutating func finishedBody(of type: String) throws(UsageError) -> Job.Body {
        var lines = body.lines
        while let last = lines.last, ByteText.trimmed(last[...]).isEmpty || Self.isOfEarlierResponse(last) {
            lines.removeLast()
        }
        guard !lines.isEmpty else { return .none }
        let end = number
        defer { number = end }
        for (index, line) in lines.enumerated() {
            number = body.first + index
            try checkBody(line, isOnly: lines.count == 1)
            if !line.hasPrefix("< ") { lines[index] = filled(line) }
        }
        guard let path = Self.path(in: lines[0]) else {
            return .text(Self.text(of: lines, type))
        }
        number = body.first
        let file = try ValueParser.path(filled(path), label: label)
        return .file(path: file.hasPrefix("/") || folder.isEmpty ? file : folder + "/" + file)
    }

    /// The body of a content type, in lower case, from its lines.
    private static func text(of lines: [String], _ type: String) -> String {
        if type.hasPrefix("application/x-www-form-urlencoded") { return form(lines) }
        // Boundaries and the fields of a part end as in a head (RFC 2046, 5.1.1).
        if type.hasPrefix("multipart/") { return lines.map { $0 + "\r\n" }.joined() }
        return lines.joined(separator: "\n")
    }

    /// The fields of a form, which may stand on lines of their own with spaces around the signs.
    private static func form(_ lines: [String]) -> String {
        let text = lines.map { ByteText.trimmed($0[...]) }.joined()
        return text.split(separator: "&").map { field in
            field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { ByteText.trimmed($0) }
                .joined(separator: "=")
        }.joined(separator: "&")
    }

    /// Refuses scripts, output files, and files that are only a part of the body.
    private func checkBody(_ line: String, isOnly: Bool) throws(UsageError) {
        for mark in ["< {%", "> {%", ">> ", ">>! ", "> ./", "> ../", "<@"] where line.hasPrefix(mark) {
            throw UsageError(argument: label, HTTPFileUsage.foreign(ByteText.trimmed(mark[...])))
        }
        guard isOnly || Self.path(in: line) == nil else { throw UsageError(argument: label, HTTPFileUsage.partlyFile) }
    }

    /// The path of a line such as `< ./file`; nil for another line, such as one of XML.
    private static func path(in line: String) -> String? {
        line.hasPrefix("< ") ? ByteText.trimmed(line.dropFirst(2)) : nil
    }

    private mutating func filled(_ text: String) -> String {
        let filling = variables.fill(text, label: label)
        refusal = refusal ?? filling.refusal
        return filling.text
    }
}

/// The values of `{{…}}`.
struct HTTPFileVariables: Sendable {
    /// A text with the values of its variables, and why one has none.
    struct Filling: Sendable {
        var text: String
        var refusal: UsageError?
    }

    /// What stands for a variable without a value, in a text that is never sent.
    private static let gap = "0"

    private let environment: [String: String]
    private var values: [String: Filling] = [:]
    /// The values of the environment that were used.
    private(set) var secrets: Set<String> = []

    init(environment: [String: String]) {
        self.environment = environment
    }

    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { ByteText.isLetter($0) || ByteText.isDigit($0) || "-_.".utf8.contains($0) }
    }

    mutating func define(_ name: String, _ value: Filling) { values[name] = value }

    /// Fills a text; `label` says where it stands.
    mutating func fill(_ text: String, label: String) -> Filling {
        var result = Filling(text: "")
        var rest = text[...]
        while let start = rest.firstRange(of: "{{") {
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else { break }
            let value = value(of: ByteText.trimmed(rest[start.upperBound..<end.lowerBound]), label)
            result.text += rest[..<start.lowerBound] + value.text
            result.refusal = result.refusal ?? value.refusal
            rest = rest[end.upperBound...]
        }
        result.text += rest
        return result
    }

    private mutating func value(of name: String, _ label: String) -> Filling {
        func refused(_ sentence: String) -> Filling {
            Filling(text: Self.gap, refusal: UsageError(argument: label, sentence))
        }
        guard name.hasPrefix("$") else { return values[name] ?? refused(HTTPFileUsage.undefined(name)) }
        let words = name.split { $0 == " " || $0 == "." }
        guard words.count == 2, ["$env", "$processEnv"].contains(words[0]) else {
            return refused(HTTPFileUsage.unknownVariable(name))
        }
        guard let value = environment[String(words[1])] else { return refused(HTTPFileUsage.unset(String(words[1]))) }
        secrets.insert(value)
        return Filling(text: value)
    }
}
