/// Values that the user has named as secrets, such as variables of the environment in a `.http` file.
///
/// Their names in a URL say nothing, so the texts are known for the duration of the program. The authority of a URL is
/// not masked: a server's name is no secret.
package enum SecretValues {
    /// Shorter values would be found by chance, and protect nothing.
    private static let leastLength = 4

    private static let known = Locked<[String]>([])

    /// Adds values; one with a scheme is an address.
    package static func add(_ values: some Sequence<String>) {
        let fresh = values.filter { $0.utf8.count >= leastLength && !$0.contains("://") }
        guard !fresh.isEmpty else { return }
        known.withLock { known in
            for value in fresh where !known.contains(value) { known.append(value) }
            // A value that contains another one is masked as a unit.
            known.sort { $0.utf8.count > $1.utf8.count }
        }
    }

    /// The text with a mask for each of them.
    static func masked(_ text: String) -> String {
        let known = known.withLock { $0 }
        guard !known.isEmpty else { return text }
        let start = text.contains("://") ? URLScan(text).path.lowerBound : text.startIndex
        let rest = known.reduce(String(text[start...])) { $0.replacing($1, with: Redaction.mask) }
        return text[..<start] + rest
    }
}
