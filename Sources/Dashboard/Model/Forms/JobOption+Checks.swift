import SessionSupport

/// What can be wrong with an option, found without looking at anything.
extension JobOption {
    /// The most bytes of a value, more than anybody means.
    private static let byteLimit = 1 << 20

    /// What is wrong with a value, in words that follow the option's name; nil when it is in order.
    ///
    /// The words never repeat what may be secret.
    package func problem(with text: String) -> String? {
        guard operand != .none else { return nil }
        guard text.utf8.count <= Self.byteLimit else { return "is longer than anybody means" }
        guard isBody || text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return "contains a line break or a control character; remove it"
        }
        switch self {
        case .proxy: return text.isEmpty ? nil : Self.problem(withProxy: text)
        case .noProxy: return nil
        case .user, .proxyUser: return Self.problem(withCredentials: text)
        case .bearer, .keyPassword: return Self.problem(withSecret: text)
        case .pin: return Self.problem(withPin: text)
        case .resolve: return Self.problem(withParts: Self.parts(text), in: 3...3, right: "HOST:PORT:ADDR")
        case .connectTo:
            return Self.problem(
                withParts: Self.parts(text), in: 4...4, right: "H1:P1:H2:P2, parts may be empty")
        case .amazonSignature:
            let words = text.split(separator: ":", omittingEmptySubsequences: false)
            let isPlain = words.allSatisfy { word in
                !word.isEmpty && word.utf8.allSatisfy { ByteText.isLetter($0) || ByteText.isDigit($0) || $0 == 0x2D }
            }
            return isPlain && words.count <= 4 ? nil : "is written aws:amz:REGION:SERVICE, words of letters and digits"
        case .maximumTime, .answerTimeout:
            guard let value = Double(text), value >= 0.1, value <= 8_640_000, text.utf8.allSatisfy(Self.isNumber) else {
                return "is not a number of seconds from 0.1 on"
            }
            return nil
        case .leastSpeedTime:
            guard let value = Double(text), value >= 1, value <= 86_400, text.utf8.allSatisfy(Self.isNumber) else {
                return "is not a number of seconds from 1 to 86400"
            }
            return nil
        case .connections:
            return Self.connections(text) == nil ? "is auto, or a number of connections from 1 to 16" : nil
        case .minimumSegment:
            guard let count = Self.byteCount(text), count >= Self.smallestSegment else {
                return "is not a number of bytes from 64k on, such as 512k, 4M or 1G"
            }
            return nil
        case .mirror: return Self.problem(withMirror: text)
        case .maximumFileSize, .leastSpeed, .length:
            return Self.byteCount(text) == nil
                ? "is not a number of bytes from 1 on, such as 5000, 20k, 500M or 2G" : nil
        case .resumable:
            return ["auto", "tus", "draft", "off"].contains(text) ? nil : "is auto, tus, draft or off"
        case .form:
            guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
                return "is written NAME=VALUE, or NAME=@FILE for a file"
            }
            return nil
        case .authorityFile, .authorityFolder, .certificate, .key, .netrcFile, .userAgent, .referer, .cookie,
            .cookieJar,
            .interface, .unixSocket, .urlEncoded, .jsonBody:
            return text.isEmpty ? "is empty; write \(valueName ?? "a value")" : nil
        case .insecure, .digest, .negotiate, .netrc, .ipv4, .ipv6, .remoteTime, .findChecksum, .verifyOverlap, .resend:
            return nil
        }
    }

    /// The fewest bytes that are worth a connection.
    private static let smallestSegment: Int64 = 64 << 10

    /// What a number of connections is.
    package enum Connections: Sendable, Equatable {
        case automatic
        case exactly(Int)
    }

    /// The connections that a text names; nil for none of them.
    package static func connections(_ text: String) -> Connections? {
        if text == "auto" { return .automatic }
        guard let count = ByteText.decimal(text), (1...16).contains(count) else { return nil }
        return .exactly(Int(count))
    }

    /// A number of bytes as curl writes it: digits, and perhaps k, M, G or T for powers of 1024; nil for anything else.
    package static func byteCount(_ text: String) -> Int64? {
        let exponent = text.last.flatMap { "kmgt".firstIndex(of: Character($0.lowercased())) }
            .map { "kmgt".distance(from: "kmgt".startIndex, to: $0) + 1 }
        guard let count = ByteText.decimal(exponent == nil ? text : String(text.dropLast())), count > 0 else {
            return nil
        }
        let (bytes, isTooLarge) = Int64(count).multipliedReportingOverflow(by: 1 << (10 * (exponent ?? 0)))
        return isTooLarge ? nil : bytes
    }

    private static func isNumber(_ byte: UInt8) -> Bool { ByteText.isDigit(byte) || byte == UInt8(ascii: ".") }

    private static func problem(withProxy text: String) -> String? {
        let url = text.contains("://") ? text : "http://" + text
        let scan = URLScan(url)
        let scheme = scan.scheme.map { ByteText.lowercased(url[$0]) } ?? ""
        guard ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme) else {
            return "a proxy has one of the schemes http, https, socks4, socks4a, socks5 and socks5h, not \(scheme)"
        }
        let port = scan.port.map { String(url[$0]) } ?? ""
        guard port.isEmpty || (1...65_535).contains(ByteText.decimal(port) ?? 0) else {
            return "the port of a proxy is a number from 1 to 65535"
        }
        guard let host = scan.host, !host.isEmpty, ["", "/"].contains(url[scan.path]), scan.query == nil else {
            return "a proxy is written scheme://host:port"
        }
        return nil
    }

    private static func problem(withMirror text: String) -> String? {
        let scan = URLScan(text)
        let scheme = scan.scheme.map { ByteText.lowercased(text[$0]) }
        if let scheme, scheme != "http", scheme != "https" {
            return "has the scheme \(scheme); http and https can be used"
        }
        guard scheme != nil, let host = scan.host, !host.isEmpty, text.utf8.allSatisfy({ $0 != 0x20 }) else {
            return "is not a whole URL, such as https://host/file"
        }
        return nil
    }

    private static func problem(withCredentials text: String) -> String? {
        if SecretPlace.isPlace(text) { return problem(withSecret: text) }
        guard let colon = text.firstIndex(of: ":") else {
            return "a password is missing; write NAME:PASSWORD, NAME:@env:VARIABLE or NAME:@file:PATH"
        }
        let password = String(text[text.index(after: colon)...])
        return password.isEmpty ? nil : problem(withSecret: password)
    }

    private static func problem(withSecret text: String) -> String? {
        switch SecretPlace(text) {
        case .environment(let name):
            return name.isEmpty || name.contains("=") ? "@env: is followed by the name of a variable" : nil
        case .file(let path): return path.isEmpty ? "@file: is followed by a path" : nil
        case nil: return text.isEmpty ? "is empty; write it, @env:VARIABLE or @file:PATH" : nil
        }
    }

    private static func problem(withPin text: String) -> String? {
        let right = "a pin is sha256// and 44 characters of Base64"
        for pin in text.split(separator: ";", omittingEmptySubsequences: false) {
            guard pin.hasPrefix("sha256//") else { return right }
            let digest = pin.dropFirst(8).utf8
            let letters = digest.dropLast()
            guard digest.count == 44, digest.last == UInt8(ascii: "="),
                letters.allSatisfy({ ByteText.isLetter($0) || ByteText.isDigit($0) || "+/".utf8.contains($0) })
            else { return right }
        }
        return nil
    }

    /// The parts of a text between colons, but for those of an address in brackets.
    package static func parts(_ text: String) -> [String] {
        var parts = [""]
        var isInBrackets = false
        for character in text {
            if character == "[" { isInBrackets = true }
            if character == "]" { isInBrackets = false }
            if character == ":", !isInBrackets {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    private static func problem(withParts parts: [String], in range: ClosedRange<Int>, right: String) -> String? {
        guard range.contains(parts.count), !(parts.count == 3 && (parts[0].isEmpty || parts[2].isEmpty)) else {
            return "is written \(right), an IPv6 address in brackets"
        }
        let ports = parts.count == 3 ? [parts[1]] : [parts[1], parts[3]]
        let isOptional = parts.count == 4
        for port in ports where !(isOptional && port.isEmpty) {
            guard (1...65_535).contains(ByteText.decimal(port) ?? 0) else {
                return "a port is a number from 1 to 65535; write \(right)"
            }
        }
        return nil
    }
}

/// Options of a job in one line, as the add form has them: `proxy=http://h:3128; insecure`.
extension [JobOption.Value] {
    /// Adds an option; one that cannot be there twice replaces the earlier one.
    package mutating func set(_ value: JobOption.Value) {
        if value.option == .ipv4 || value.option == .ipv6 {
            removeAll { $0.option == .ipv4 || $0.option == .ipv6 }
        } else if !value.option.isRepeatable {
            removeAll { $0.option == value.option }
        }
        append(value)
    }

    /// Whether an option is among them.
    package func contains(_ option: JobOption) -> Bool { contains { $0.option == option } }

    /// The text of an option, the last one where there are several.
    package func text(of option: JobOption) -> String? { last { $0.option == option }?.text }

    /// The line, with stars for secrets.
    package var line: String { map(\.line).joined(separator: "; ") }

    /// The options of a line; what is hidden in it is taken from those it was made of.
    package static func reading(_ line: String, hidden: [JobOption.Value]) throws(UsageError) -> [JobOption.Value] {
        var values: [JobOption.Value] = []
        for part in pieces(of: line) {
            let name = part.prefix { $0 != "=" }
            let text = part.count > name.count ? String(part.dropFirst(name.count + 1)).trimmed : ""
            guard let option = JobOption(rawValue: String(name).trimmed) else {
                throw UsageError("There is no option \(String(name).trimmed); write name=value; name=value")
            }
            if option.operand == .none {
                guard ["", "yes", "no"].contains(text) else {
                    throw UsageError("\(option.rawValue) is written alone, or with =yes or =no")
                }
                if text != "no" { values.set(JobOption.Value(option)) }
                continue
            }
            if let known = hidden.first(where: { $0.option == option && $0.shownText == text }) {
                values.set(known)
                continue
            }
            guard !text.contains(Redaction.mask) else {
                throw UsageError("Write out what the stars of \(option.rawValue) stand for")
            }
            if let problem = option.problem(with: text) { throw UsageError("\(option.rawValue): \(problem)") }
            values.set(JobOption.Value(option, text))
        }
        return values
    }

    /// Splits at semicolons behind which another option begins: values may have semicolons of their own.
    private static func pieces(of line: String) -> [String] {
        var pieces: [String] = []
        for part in line.split(separator: ";").map({ String($0) }) {
            let name = String(part.prefix { $0 != "=" }).trimmed
            if JobOption(rawValue: name) != nil || pieces.isEmpty {
                if !part.trimmed.isEmpty { pieces.append(part.trimmed) }
            } else {
                pieces[pieces.count - 1] += ";" + part
            }
        }
        return pieces
    }
}
