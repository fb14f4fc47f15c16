import Dashboard
import SessionSupport

/// Turns a Metalink of version 3 into one of version 4: the same facts, in other places and under other names.
enum OldMetalink {
    private static let namespace = "http://www.metalinker.org/"
    /// The names of digests without their hyphens, as version 3 has them.
    private static let digests = ["sha1": "sha-1", "sha256": "sha-256", "sha512": "sha-512"]
    /// The preference of a URL that is best; a priority of 1 is.
    private static let best = 100

    /// The document itself unless it is of version 3.
    static func modernised(_ root: Markup) -> Markup {
        guard root.name == "metalink", root.attributes.values.contains(namespace) else { return root }
        var result = root
        result.attributes = ["xmlns": Metalink.namespace]
        result.children = root.all("files").flatMap { $0.all("file") }.map(file)
        return result
    }

    private static func file(_ old: Markup) -> Markup {
        var file = old
        let digests = old.all("verification").flatMap(\.children).map(digest)
        // A torrent describes the file, and is not it.
        let urls = old.all("resources").flatMap { $0.all("url") }.filter { $0.attributes["type"] != "bittorrent" }
        file.children = old.all("size") + digests + urls.map(url)
        return file
    }

    private static func digest(_ old: Markup) -> Markup {
        var digest = old
        let name = ByteText.lowercased((old.attributes["type"] ?? "")[...])
        digest.attributes["type"] = digests[name] ?? name
        return digest
    }

    private static func url(_ old: Markup) -> Markup {
        var url = old
        url.attributes["priority"] = old.attributes["preference"].flatMap { Int($0) }.map {
            String(best + 1 - min(max($0, 0), best))
        }
        return url
    }
}
