/// Why a job failed.
package struct JobCause: Equatable, Sendable, ExpressibleByStringLiteral {
    /// One sentence, which may name the job's file.
    package let text: String
    /// The kind of cause, by which a status groups jobs: the same words for all files.
    package let kind: String

    /// A cause whose sentence names no file is its own kind.
    package init(_ text: String, kind: String? = nil) {
        self.text = PostgresText.printable(text)
        self.kind = PostgresText.printable(kind ?? text)
    }

    package init(stringLiteral text: String) { self.init(text) }
}
