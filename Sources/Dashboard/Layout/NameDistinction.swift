import SessionSupport

/// The words that tell rows with the same name apart: host, folder and query of their URLs, then the file's folder.
///
/// Only what differs is said, and no more of it than needed. It compares the given rows alone, which are the visible
/// ones: its work does not grow with the list.
package enum NameDistinction {
    /// Where a row's name comes from.
    package struct Origin: Sendable, Equatable {
        package var url: SafeText
        package var host: SafeText
        /// The row's file, if it has one.
        package var path: SafeText?

        package init(url: SafeText, host: SafeText, path: SafeText? = nil) {
            (self.url, self.host, self.path) = (url, host, path)
        }
    }

    /// The words by the positions of the names; rows whose names are unique, or that differ in nothing, have none.
    ///
    /// - Parameter shownHost: the longest host that another column shows completely, and which is not repeated here.
    package static func words(
        of names: [SafeText], shownHost: Int = 0, origin: (Int) -> Origin
    ) -> [Int: SafeText] {
        var words: [Int: SafeText] = [:]
        for positions in repeated(names) {
            let origins = positions.map(origin)
            for (position, text) in zip(positions, texts(of: origins, shownHost: shownHost)) where !text.isEmpty {
                words[position] = SafeText(untrusted: text)
            }
        }
        return words
    }

    /// The positions of each name that occurs several times.
    private static func repeated(_ names: [SafeText]) -> [[Int]] {
        var first: [SafeText: Int] = [:]
        var groups: [Int: [Int]] = [:]
        first.reserveCapacity(names.count)
        for (position, name) in names.enumerated() {
            guard let earlier = first[name] else {
                first[name] = position
                continue
            }
            groups[earlier, default: [earlier]].append(position)
        }
        return Array(groups.values)
    }

    /// The texts of rows with one name; each part is taken only if it tells rows apart that were alike before.
    private static func texts(of origins: [Origin], shownHost: Int) -> [String] {
        let hosts = origins.map(\.host.string)
        let urls = origins.map(\.url.string)
        let showsHosts = hosts.contains { $0.utf8.count > shownHost }
        let parts: [(words: [String], isShown: Bool)] = [
            (hosts, showsHosts),
            (differing(urls.map(folders)).map { "/" + $0 }, true),
            (differingQueries(urls).map { $0.isEmpty ? "" : "?" + $0 }, true),
            (differing(origins.map(folders)).map { $0.isEmpty ? "" : " in " + $0 + "/" }, true),
        ]
        var texts = [String](repeating: "", count: origins.count)
        var known = texts
        for part in parts {
            let more = zip(known, part.words).map { $0 + "\n" + $1 }
            guard Set(more).count > Set(known).count else { continue }
            known = more
            if part.isShown { texts = zip(texts, part.words).map { $0 + $1 } }
        }
        return texts.map { ByteText.trimmed($0[...]) }
    }

    /// The folders of a URL's path.
    private static func folders(_ url: String) -> [Substring] {
        let scan = URLScan(url)
        return url[scan.path.lowerBound..<scan.lastComponent.lowerBound].split(separator: "/")
    }

    /// The folders of a row's file.
    private static func folders(_ origin: Origin) -> [Substring] {
        origin.path?.string.split(separator: "/").dropLast() ?? []
    }

    /// The paths without the folders that all of them begin or end with.
    private static func differing(_ paths: [[Substring]]) -> [String] {
        let shortest = paths.map(\.count).min() ?? 0
        func isShared(_ part: ([Substring]) -> Substring) -> Bool { Set(paths.map(part)).count == 1 }
        let start = (0..<shortest).first { index in !isShared { $0[index] } } ?? shortest
        let rest = shortest - start
        let end = (0..<rest).first { index in !isShared { $0[$0.count - 1 - index] } } ?? rest
        return paths.map { $0[start..<$0.count - end].joined(separator: "/") }
    }

    /// The members of each query that not all queries have, without hidden values where the others suffice.
    private static func differingQueries(_ urls: [String]) -> [String] {
        let queries = urls.map { url in
            URLScan(url).query.map { url[$0].split(separator: "&").map(String.init) } ?? []
        }
        let shared = queries.dropFirst().reduce(Set(queries.first ?? [])) { $0.intersection($1) }
        let own = queries.map { $0.filter { !shared.contains($0) } }
        let shown = own.map { $0.filter { !$0.hasSuffix("=" + Redaction.mask) } }
        return (Set(shown).count == Set(own).count ? shown : own).map { $0.joined(separator: "&") }
    }
}
