import SessionSupport

/// Values that decide the route to a server, and which certificate it must have.
extension OptionKind where Value == Proxy? {
    /// A proxy; none for an empty text.
    package static var proxy: Self {
        OptionKind(OptionStyle("URL", mask: maskedURL)) { text throws(OptionProblem) in
            guard !text.isEmpty else { return nil }
            if let problem = problem(withProxy: text) { throw OptionProblem(problem) }
            do throws(SessionError) {
                return try Proxy(text)
            } catch {
                throw OptionProblem(error.message)
            }
        }
    }

    private static func problem(withProxy text: String) -> String? {
        let url = text.contains("://") ? text : "http://" + text
        let scan = URLScan(url)
        let scheme = scan.scheme.map { ByteText.lowercased(url[$0]) } ?? ""
        guard Proxy.Scheme(rawValue: scheme) != nil else {
            return OptionUsage.proxyScheme(scheme)
        }
        let port = scan.port.map { String(url[$0]) } ?? ""
        guard port.isEmpty || ByteText.port(port) != nil else { return OptionUsage.proxyPort }
        guard let host = scan.host, !host.isEmpty, ["", "/"].contains(url[scan.path]), scan.query == nil else {
            return OptionUsage.proxyForm
        }
        return nil
    }
}

extension OptionKind where Value == ConnectionEndpoint {
    /// The addresses of a host: `HOST:PORT:ADDR`, several separated by commas.
    package static var resolved: Self {
        OptionKind(OptionStyle("HOST:PORT:ADDR")) { text throws(OptionProblem) in
            let parts = PortText.parts(text)
            guard parts.count == 3, !parts[0].isEmpty, !parts[2].isEmpty else {
                throw OptionProblem(OptionUsage.resolved)
            }
            guard ByteText.port(parts[1]) != nil else {
                throw OptionProblem(OptionUsage.resolvedPort)
            }
            let addresses = parts[2].split(separator: ",").map { address in
                address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : String(address)
            }
            return ConnectionEndpoint(
                host: parts[0] == "*" ? "" : parts[0], port: Int(parts[1]), target: addresses.first ?? "",
                isAddressOnly: true, furtherTargets: Array(addresses.dropFirst()))
        }
    }

    /// Another host and port: `H1:P1:H2:P2`.
    package static var redirected: Self {
        OptionKind(OptionStyle("H1:P1:H2:P2")) { text throws(OptionProblem) in
            let parts = PortText.parts(text)

            guard parts.count == 4 else { throw OptionProblem(OptionUsage.redirected) }
            guard [parts[1], parts[3]].allSatisfy({ $0.isEmpty || ByteText.port($0) != nil }) else {
                throw OptionProblem(OptionUsage.redirectedPort)
            }
            return ConnectionEndpoint(host: parts[0], port: Int(parts[1]), target: parts[2], targetPort: Int(parts[3]))
        }
    }
}

extension OptionKind where Value == [String] {
    /// Pins of public keys, separated by semicolons.
    package static var pins: Self {
        OptionKind(OptionStyle("sha256//BASE64")) { text throws(OptionProblem) in
            let pins = text.split(separator: ";", omittingEmptySubsequences: false)
            guard pins.allSatisfy(isPin) else { throw OptionProblem(OptionUsage.pin) }
            return pins.map { String($0) }
        }
    }

    private static func isPin(_ text: Substring) -> Bool {
        guard text.hasPrefix("sha256//") else { return false }
        let digest = text.dropFirst(8).utf8
        return digest.count == 44 && digest.last == UInt8(ascii: "=")
            && digest.dropLast().allSatisfy {
                ByteText.isLetter($0) || ByteText.isDigit($0) || "+/".utf8.contains($0)
            }
    }
}

/// Parses hosts and ports separated by colons.
private enum PortText {
    /// The parts between colons; an address in brackets is one part.
    static func parts(_ text: String) -> [String] {
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
}

extension OptionKind where Value == [ClosedRange<Int>] {
    /// Error statuses separated by commas, or classes of them such as `4xx`.
    package static var statuses: Self {
        OptionKind(OptionStyle("STATUS,...")) { text throws(OptionProblem) in
            try text.split(separator: ",", omittingEmptySubsequences: false).map { part throws(OptionProblem) in
                let part = ByteText.trimmed(part)
                switch part {
                case "4xx": return 400...499
                case "5xx": return 500...599
                default:
                    guard part.utf8.count == 3, let status = Int(part), (400...599).contains(status) else {
                        throw OptionProblem(OptionUsage.statuses)
                    }
                    return status...status
                }
            }
        }
    }
}

extension OptionKind where Value == Int {
    /// A number of redirects; -1 for no limit.
    package static var redirects: Self {
        OptionKind(OptionStyle("N")) { text throws(OptionProblem) in
            if text == "-1" { return .max }
            guard let count = ByteText.decimal(text), (0...50).contains(count) else {
                throw OptionProblem(OptionUsage.redirects)
            }
            return Int(count)
        }
    }
}
