import SessionSupport

/// The hosts that are reached over https only (RFC 6797), and their file in curl's format.
///
/// A host asks for it with `Strict-Transport-Security`, for itself and on request for its subdomains. Safe from any
/// thread.
package final class SecureHosts: SecureHostStore {
    struct Rule: Sendable, Equatable {
        var includesSubdomains: Bool
        /// Seconds since 1970; nil for no end.
        var expiry: Int64?
    }

    fileprivate struct State: Sendable {
        /// By host, in lower case.
        var rules: [String: Rule] = [:]
        /// The number of hosts after the last file was read.
        var fileCount = 0
        var hasChanged = false
    }

    /// Beyond this, the host whose rule ends first is dropped.
    private static let limit = 10_000

    private let now: @Sendable () -> Int64
    private let state = Locked(State())

    /// Creates an empty list; the clock returns seconds since 1970.
    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    // MARK: - Requests and responses

    /// The https URL instead of a plain one whose host has asked for it; an explicit port other than 80 is kept.
    package func secured(_ url: String) -> String? {
        guard !state.withLock({ $0.rules.isEmpty }) else { return nil }
        let scan = URLScan(url)
        guard scan.isWeb, !scan.isEncrypted, let scheme = scan.scheme, let host = scan.host,
            covers(Self.name(String(url[host])))
        else { return nil }
        let port = scan.port.map { String(url[$0]) } ?? ""
        let end = scan.path.lowerBound
        let rest = String(url[host.upperBound...])
        let kept = port.isEmpty || ByteText.decimal(port) == 80 ? String(url[end...]) : rest
        return "https" + url[scheme.upperBound..<host.upperBound] + kept
    }

    /// Stores what a response asks for; the first field counts, and one that breaks the grammar none.
    package func store(_ fields: [String], from url: String) {
        guard let field = fields.first, let wish = SecureHostWish(field) else { return }
        let scan = URLScan(url)
        guard scan.isEncrypted, let host = scan.host.map({ Self.name(String(url[$0])) }), Self.isName(host) else {
            return
        }
        let (sum, isEndless) = now().addingReportingOverflow(wish.seconds)
        let rule = Rule(includesSubdomains: wish.includesSubdomains, expiry: isEndless ? nil : sum)
        state.withLock { state in
            if wish.seconds == 0 {
                if state.rules.removeValue(forKey: host) != nil { state.hasChanged = true }
            } else {
                let old = state.rules.updateValue(rule, forKey: host)
                if old != rule { state.hasChanged = true }
                // A longer file keeps its hosts: they are another program's too.
                if old == nil, state.rules.count > max(Self.limit, state.fileCount) { state.dropOne() }
            }
        }
    }

    private func covers(_ host: String) -> Bool {
        let time = now()
        return state.withLock { state in
            var name = host[...]
            while !name.isEmpty {
                if let rule = state.rules[String(name)], rule.expiry.map({ $0 > time }) ?? true,
                    rule.includesSubdomains || name.count == host.count
                {
                    return true
                }
                guard let dot = name.firstIndex(of: ".") else { return false }
                name = name[name.index(after: dot)...]
            }
            return false
        }
    }

    /// Whether a host has a name, because addresses cannot ask for it.
    private static func isName(_ host: String) -> Bool {
        guard !host.isEmpty, !host.hasPrefix("[") else { return false }
        return !host.utf8.allSatisfy { ByteText.isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    private static func name(_ host: String) -> String {
        let name = ByteText.lowercased(host)
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    // MARK: - Files

    /// Whether hosts were added, renewed or removed since the list was made or its file was read.
    package var hasChanged: Bool { state.withLock { $0.hasChanged } }

    /// The number of hosts.
    package var count: Int { state.withLock { $0.rules.count } }

    /// Adds the hosts of a file, and returns how many lines are neither hosts nor comments.
    @discardableResult
    package func add(file text: String) -> Int {
        let time = now()
        var unreadable = 0
        for line in text.split(whereSeparator: \.isNewline) {
            let line = ByteText.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let (host, rule) = Self.rule(in: line) else {
                unreadable += 1
                continue
            }
            if let expiry = rule.expiry, expiry <= time { continue }
            state.withLock { $0.rules[host] = rule }
        }
        state.withLock { $0.fileCount = $0.rules.count }
        return unreadable
    }

    /// Reads `.host "20301231 23:59:59"`, where the dot includes subdomains and the time may be `unlimited`.
    private static func rule(in line: String) -> (host: String, rule: Rule)? {
        let parts = line.split(separator: " ", maxSplits: 1).map { ByteText.trimmed($0) }
        guard parts.count == 2, parts[1].count > 2, parts[1].hasPrefix("\""), parts[1].hasSuffix("\"") else {
            return nil
        }
        let includesSubdomains = parts[0].hasPrefix(".")
        let host = name(includesSubdomains ? String(parts[0].dropFirst()) : parts[0])
        let time = String(parts[1].dropFirst().dropLast())
        guard isName(host) else { return nil }
        if time == "unlimited" { return (host, Rule(includesSubdomains: includesSubdomains, expiry: nil)) }
        return seconds(time).map { (host, Rule(includesSubdomains: includesSubdomains, expiry: $0)) }
    }

    /// Reads `20301231 23:59:59` of universal time.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        let clock = parts.last?.split(separator: ":").compactMap { ByteText.decimal($0) } ?? []
        guard parts.count == 2, parts[0].utf8.count == 8, let date = ByteText.decimal(parts[0]), clock.count == 3,
            clock[0] < 24, clock[1] < 60, clock[2] <= 60,
            let day = UniversalTime.seconds(year: date / 10_000, month: date / 100 % 100, day: date % 100)
        else { return nil }
        return day + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// The text of the file, in curl's format.
    package var file: String {
        let time = now()
        let rules = state.withLock { $0.rules }.filter { $0.value.expiry.map { $0 > time } ?? true }
        let lines = rules.sorted { $0.key < $1.key }.map { host, rule in
            let dot = rule.includesSubdomains ? "." : ""
            return "\(dot)\(host) \"\(rule.expiry.map(Self.text) ?? "unlimited")\""
        }
        return ([SecureHostLines.form, SecureHostLines.warning] + lines).map { $0 + "\n" }.joined()
    }

    private static func text(_ expiry: Int64) -> String {
        let time = UniversalTime(expiry)
        return time.date.filter { $0 != "-" } + " " + time.clock
    }
}

extension SecureHosts.State {
    fileprivate mutating func dropOne() {
        let first = rules.min { ($0.value.expiry ?? .max) < ($1.value.expiry ?? .max) }
        if let first { rules[first.key] = nil }
    }
}

/// What a `Strict-Transport-Security` field asks for (RFC 6797, 6.1).
struct SecureHostWish: Sendable, Equatable {
    /// How long it counts; 0 ends it.
    var seconds: Int64
    var includesSubdomains: Bool

    init?(_ field: String) {
        var names: Set<String> = []
        var seconds: Int64?
        includesSubdomains = false
        for directive in field.split(separator: ";") {
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = ByteText.lowercased(ByteText.trimmed(parts[0]))
            guard !name.isEmpty else { continue }
            // A directive that is given twice makes the field invalid.
            guard names.insert(name).inserted else { return nil }
            switch name {
            case "max-age":
                guard parts.count == 2, let value = Self.number(ByteText.trimmed(parts[1])) else { return nil }
                seconds = value
            case "includesubdomains":
                guard parts.count == 1 else { return nil }
                includesSubdomains = true
            default: continue
            }
        }
        guard let seconds else { return nil }
        self.seconds = seconds
    }

    /// Digits, with or without quotation marks; a number that is too large counts as the largest.
    private static func number(_ text: String) -> Int64? {
        let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let digits = isQuoted ? String(text.dropFirst().dropLast()) : text
        guard !digits.isEmpty, digits.utf8.allSatisfy(ByteText.isDigit) else { return nil }
        return ByteText.decimal(digits) ?? .max
    }
}
