import SessionSupport

/// Mirrors of a file that a response announces: `Link: <…>; rel=duplicate` (RFC 6249).
///
/// They count only with a strong digest of the full file, which proves it in the end, and never drop encryption.
enum DuplicateLinks {
    /// Returns the announced mirrors, lowest `pri` first.
    static func urls(of head: ResponseHead) -> [String] {
        let fields = head.headers.values(named: "Link")
        guard !fields.isEmpty else { return [] }
        let isEncrypted = URLScan(head.url).isEncrypted
        var found: [(priority: Int, url: String)] = []
        for link in fields.flatMap(LinkField.links) where link.isRelated(as: "duplicate") && found.count < Mirrors.limit
        {
            guard let url = try? URLParser.resolve(link.target, against: head.url),
                !isEncrypted || URLScan(url).isEncrypted
            else { continue }
            let priority = link.parameters.first { $0.name == "pri" }.flatMap { Int($0.value) } ?? .max
            found.append((priority, url))
        }
        return found.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
            .map(\.element.url)
    }
}
