import SessionSupport

/// The header fields of a curl command: the ones of `-H`, and the ones of other options, which a field of `-H`
/// replaces.
struct CurlFields {
    /// The fields of `-H`.
    private var own = HeaderFields()
    /// The cookies of `-H`.
    private var ownCookies: [String] = []
    /// The names that `-H` leaves out.
    private var leftOut: [String] = []
    /// The cookies of `-b`.
    private var cookies: [String] = []
    /// The value of `-A`; nil for none.
    private var userAgent: String?
    /// The value of `-e`; nil for none.
    private var referer: String?
    /// Whether the referer changes with redirects.
    private(set) var hasAutomaticReferer = false

    /// What is left to do for a line of `-H`.
    enum Reading {
        case done
        /// A field is left out that is sent by default.
        case leavesOut(name: String)
        case unreadable
    }

    /// Reads a line of `-H`.
    mutating func read(_ line: String) -> Reading {
        guard let colon = line.firstIndex(of: ":") else {
            // A semicolon stands for a field that is sent without a value.
            guard line.hasSuffix(";"), line.count > 1 else { return .unreadable }
            own.append(name: String(line.dropLast()), value: "")
            return .done
        }
        let name = String(line[..<colon]).trimmed
        let value = String(line[line.index(after: colon)...]).trimmed
        guard !value.isEmpty else {
            leftOut.append(name)
            return .leavesOut(name: name)
        }
        if ByteText.isSame(name, "Cookie") { ownCookies.append(value) } else { own.append(name: name, value: value) }
        return .done
    }

    mutating func setUserAgent(_ value: String) { userAgent = value.isEmpty ? nil : value }

    /// Reads a referer, behind which `;auto` is for redirects alone.
    mutating func setReferer(_ value: String) {
        hasAutomaticReferer = value.hasSuffix(";auto")
        let url = hasAutomaticReferer ? String(value.dropLast(";auto".count)) : value
        referer = url.isEmpty ? nil : url
    }

    mutating func addCookie(_ value: String) { cookies.append(value) }

    /// Whether `-H` decides about a field.
    func decides(about name: String) -> Bool {
        own[name] != nil || leftOut.contains { ByteText.isSame($0, name) }
    }

    /// The fields that are sent.
    var all: HeaderFields {
        var all = HeaderFields()
        if let userAgent, !decides(about: "User-Agent") { all.append(name: "User-Agent", value: userAgent) }
        if let referer, !decides(about: "Referer") { all.append(name: "Referer", value: referer) }
        for field in own { all.append(name: field.name, value: field.value) }
        // curl joins all cookies in one field.
        let sent = !ownCookies.isEmpty ? ownCookies : decides(about: "Cookie") ? [] : cookies
        if !sent.isEmpty {
            let trimmed = sent.map { ByteText.trimmed($0.hasSuffix(";") ? String($0.dropLast()) : $0) }
            all.append(name: "Cookie", value: trimmed.joined(separator: "; "))
        }
        return all
    }
}
