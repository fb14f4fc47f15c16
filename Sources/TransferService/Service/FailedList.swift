import Glibc
import SessionSupport

/// Writes a run's failed and unfinished transfers as an input list for a later run.
///
/// What cannot be written without secrets becomes a comment, unless the user keeps secrets.
package enum FailedList {
    /// Writes the list, empty when nothing has failed; returns a sentence when writing fails.
    ///
    /// With secrets only this user can read the file.
    package static func write(_ jobs: [Job], to path: String, keepingSecrets: Bool = false) -> SafeText? {
        let bytes = Array(text(of: jobs, keepingSecrets: keepingSecrets).utf8)
        return FileReplacement.write(bytes, to: path, access: keepingSecrets ? .user : .kept)
            .map { sentence(path, $0) }
    }

    private static func sentence(_ path: String, _ number: Int32) -> SafeText {
        ServiceErrors.unwrittenFailures(
            SafeText(untrusted: path), SafeText(untrusted: SystemWords.text(number)))
    }

    package static func text(of jobs: [Job], keepingSecrets: Bool = false) -> String {
        var names: Set<String> = []
        let jobs = jobs.map { job in
            var job = job
            // What was completed is not in the list, and a second task of the name would be refused.
            let isNamed = !leavesOut(job, keepingSecrets) && job.taskName.map { names.insert($0).inserted } == true
            if !isNamed { job.taskName = nil }
            return job
        }
        return jobs.map { job in
            var job = job
            job.predecessors.removeAll { !names.contains($0) }
            return paragraph(job, keepingSecrets)
        }
        .joined()
    }

    /// Whether a job becomes a comment.
    private static func leavesOut(_ job: Job, _ keepsSecrets: Bool) -> Bool {
        hidesURL(job, keepsSecrets) || lacksContent(job) || !Paragraph(job, keepsSecrets).unwritable.isEmpty
    }

    private static func hidesURL(_ job: Job, _ keepsSecrets: Bool) -> Bool {
        !keepsSecrets && Redaction.url(job.url, userInfo: .removed) != job.url
    }

    /// Whether what an upload sends cannot be named in a list, which refuses an upload of nothing.
    private static func lacksContent(_ job: Job) -> Bool { job.kind == .upload && job.body == .standardInput }

    private static func paragraph(_ job: Job, _ keepsSecrets: Bool) -> String {
        if hidesURL(job, keepsSecrets) { return ServiceLines.leftOut(Redaction.url(job.url)) + "\n" }
        if lacksContent(job) { return ServiceLines.leftOutUpload(Redaction.url(job.url)) + "\n" }
        let paragraph = Paragraph(job, keepsSecrets)
        if !paragraph.unwritable.isEmpty {
            return ServiceLines.unwritable(paragraph.unwritable, Redaction.url(job.url)) + "\n"
        }
        let missing = paragraph.missing
        let comment = missing.isEmpty ? "" : ServiceLines.unwritten(missing.joined(separator: ", ")) + "\n"
        return comment + job.url + "\n" + paragraph.keys.map { "  \($0.0)=\($0.1)\n" }.joined()
    }
}

/// The lines of a job in a list, and what it has beside them.
private struct Paragraph {
    private(set) var keys: [(String, String)] = []
    /// The names of secrets, without which the request is written.
    private(set) var missing: [String] = []
    /// The names of values that no line can have, without which it would be another request.
    private(set) var unwritable: [String] = []

    init(_ job: Job, _ keepsSecrets: Bool) {
        if job.kind != .download { keys.append(("kind", job.kind.rawValue)) }
        if let method = job.method { keys.append(("method", method)) }
        if let directory = job.directory { keys.append(("dir", directory)) }
        switch job.output {
        case .automatic: break
        case .name(let name): keys.append(("out", name))
        case .standardOutput: keys.append(("out", "-"))
        }
        for header in job.ownHeaders {
            if Redaction.hidesField(header.name), !keepsSecrets || header.value == Redaction.mask {
                missing.append(header.name)
            } else {
                let isEmpty = header.value.isEmpty
                keys.append(("header", isEmpty ? header.name + ";" : "\(header.name): \(header.value)"))
            }
        }
        switch job.body {
        case .none: break
        case .text(let text):
            let isSecret = !keepsSecrets && Redaction.hidesMember(of: Array(text.utf8))
            if isSecret { unwritable.append("body") } else { keys.append(("body", text)) }
        case .file(let path): keys.append(("body-file", path))
        case .formFile, .standardInput: unwritable.append("body")
        }
        if let checksum = job.checksum { keys.append(("checksum", "\(checksum.algorithm.rawValue)=\(checksum.hex)")) }
        if !job.continues { keys.append(("continue", "no")) }
        keys += JobKey.said(by: job, beside: Job(kind: job.kind, url: ""))
        for value in job.options {
            if !keepsSecrets && value.storable != value || value.isHidden || value.option.memory == .none {
                let name = value.option.name
                if value.option.isBody { unwritable.append(name) } else { missing.append(name) }
            } else {
                keys.append((value.option.name, value.option.isSwitch && !value.isOff ? "yes" : value.text))
            }
        }
        for (name, text) in keys where !Self.fitsLine(text) && !unwritable.contains(name) { unwritable.append(name) }
    }

    /// Whether a value is read back from a line, which ends it and loses blanks at its ends.
    private static func fitsLine(_ text: String) -> Bool {
        let isLine = text.utf8.allSatisfy { $0 >= 0x20 || $0 == UInt8(ascii: "\t") }
        return text.isEmpty || isLine && ByteText.trimmed(text) == text
    }
}
