import Glibc
import SessionSupport

/// Writes a run's failed and unfinished transfers as an input list for a later run.
///
/// Secrets never reach a disk: what cannot be written without them becomes a comment.
package enum FailedList {
    /// Writes the list, empty when nothing has failed; returns a sentence when writing fails.
    package static func write(_ jobs: [Job], to path: String) -> SafeText? {
        FileReplacement.write(Array(text(of: jobs).utf8), to: path, access: .kept).map { sentence(path, $0) }
    }

    private static func sentence(_ path: String, _ number: Int32) -> SafeText {
        ServiceErrors.unwrittenFailures(
            SafeText(untrusted: path), SafeText(untrusted: SystemWords.text(number)))
    }

    package static func text(of jobs: [Job]) -> String { jobs.map(paragraph).joined() }

    private static func paragraph(_ job: Job) -> String {
        guard Redaction.url(job.url, userInfo: .removed) == job.url else {
            return ServiceLines.leftOut(Redaction.url(job.url)) + "\n"
        }
        var keys: [(String, String)] = []
        var missing: [String] = []
        if job.kind != .download { keys.append(("kind", job.kind.rawValue)) }
        if let method = job.method { keys.append(("method", method)) }
        if let directory = job.directory { keys.append(("dir", directory)) }
        switch job.output {
        case .automatic: break
        case .name(let name): keys.append(("out", name))
        case .standardOutput: keys.append(("out", "-"))
        }
        for header in job.headers {
            if Redaction.hidesField(header.name) {
                missing.append(header.name)
            } else {
                keys.append(("header", "\(header.name): \(header.value)"))
            }
        }
        switch job.body {
        case .none: break
        case .text(let text):
            if text.utf8.contains(where: { $0 < 0x20 }) || Redaction.hidesMember(of: Array(text.utf8)) {
                missing.append("body")
            } else {
                keys.append(("body", text))
            }
        case .file(let path): keys.append(("body-file", path))
        case .formFile, .standardInput: missing.append("body")
        }
        if let checksum = job.checksum { keys.append(("checksum", "\(checksum.algorithm.rawValue)=\(checksum.hex)")) }
        if !job.continues { keys.append(("continue", "no")) }
        keys += JobKey.said(by: job, beside: Job(kind: job.kind, url: ""))
        for value in job.options {
            if value.storable != value || value.option.memory == .none {
                missing.append(value.option.name)
            } else {
                keys.append((value.option.name, value.option.isSwitch ? "yes" : value.text))
            }
        }
        let comment = missing.isEmpty ? "" : ServiceLines.unwritten(missing.joined(separator: ", ")) + "\n"
        return comment + job.url + "\n" + keys.map { "  \($0.0)=\($0.1)\n" }.joined()
    }
}
