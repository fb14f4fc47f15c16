import SessionSupport

/// The names of hosts as programs write them.
enum HostName {
    /// Returns a name in the form of ``ParsedURL/host``: lower case, ASCII, an IPv6 address in brackets; nil for a text
    /// that is no host's name.
    static func normalised(_ name: some StringProtocol) -> String? {
        let delimiters: Set<UInt8> = [0x2F, 0x5C, 0x3F, 0x23, 0x40]  // / \ ? # @
        guard !name.utf8.contains(where: delimiters.contains) else { return nil }
        let isBareAddress = name.utf8.contains(UInt8(ascii: ":")) && !name.hasPrefix("[")
        guard let url = try? ParsedURL("https://" + (isBareAddress ? "[\(name)]" : name) + "/") else { return nil }
        // With brackets a port may follow.
        return name.hasPrefix("[") && !name.hasSuffix("]") ? nil : url.host
    }
}
