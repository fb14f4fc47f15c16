import Dashboard
import Foundation

/// The type that a job's body is sent with when no header field names one: what `curl -d` says, and JSON for JSON.
enum BodyContentType {
    /// The type that curl gives every body it is told with `-d`.
    static let form = "application/x-www-form-urlencoded"
    static let json = "application/json"

    /// Nil for a job without a body, for one that names its type, and for an upload of a file, whose bytes may be
    /// anything.
    static func implied(by job: Job) -> String? {
        guard !job.headers.contains(where: { $0.name.lowercased() == "content-type" }) else { return nil }
        switch (job.kind, job.body) {
        case (_, .none), (.download, _), (.upload, .file), (.upload, .standardInput): return nil
        case (_, .text(let text)): return isJSON(text) ? json : form
        case (.data, .file(let path)): return path.lowercased().hasSuffix(".json") ? json : form
        case (.data, .standardInput): return form
        }
    }

    /// Takes back the header field that a job's body implies, as a request that was made of the job has it.
    static func removeImplied(from job: inout Job) {
        guard let index = job.headers.lastIndex(where: { $0.name == "Content-Type" }) else { return }
        var bare = job
        let type = bare.headers.remove(at: index).value
        if implied(by: bare) == type { job = bare }
    }

    /// Whether a text is an object or an array; a number or a word alone may be anything.
    private static func isJSON(_ text: String) -> Bool {
        guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else { return false }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    }
}
