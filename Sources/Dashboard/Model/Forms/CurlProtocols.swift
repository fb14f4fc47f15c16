/// The protocols that a curl command allows, as far as they are HTTP's.
struct CurlProtocols {
    /// The values of `--proto` and `--proto-redir`; nil for all.
    var requests: String?
    var redirects: String?
    /// The value of `--proto-default`: the scheme of a URL without one.
    var usual = "http"

    /// The options that curl would end with where netdash sends requests or follows redirects.
    func contradictions(to urls: [String], followsRedirects: Bool) -> [String] {
        let schemes = Set(urls.map { $0.lowercased().hasPrefix("https:") ? "https" : "http" })
        guard Self.allowed(by: requests).isSuperset(of: schemes) else { return ["--proto"] }
        guard followsRedirects else { return [] }
        // netdash leaves https by no redirect.
        let next = schemes.contains("http") ? ["http", "https"] : schemes
        if !Self.allowed(by: requests).isSuperset(of: next) { return ["--proto"] }
        return Self.allowed(by: redirects).isSuperset(of: next) ? [] : ["--proto-redir"]
    }

    /// Reads a list such as `=https` or `-all,https`, each word of which adds, removes or replaces.
    private static func allowed(by text: String?) -> Set<String> {
        let all: Set<String> = ["http", "https"]
        return (text ?? "").split(separator: ",").reduce(all) { allowed, word in
            let name = word.drop { "=+-".contains($0) }.lowercased()
            let named = name == "all" ? all : all.intersection([name])
            switch word.first {
            case "=": return named
            case "-": return allowed.subtracting(named)
            default: return allowed.union(named)
            }
        }
    }
}
