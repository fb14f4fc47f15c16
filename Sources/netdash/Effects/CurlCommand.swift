import Dashboard

/// A job as a command for a shell.
enum CurlCommand {
    /// The command, with everything the job sends.
    static func text(of job: Job) -> String {
        var words = ["curl"]
        if let method = job.method, method != impliedMethod(of: job) { words += ["-X", quoted(method)] }
        for header in job.headers { words += ["-H", quoted("\(header.name): \(header.value)")] }
        // Without one curl says that the body is a form.
        if let type = BodyContentType.implied(by: job), type != BodyContentType.form {
            words += ["-H", quoted("Content-Type: " + type)]
        }
        switch job.body {
        case .none: break
        case .text(let text): words += ["--data-raw", quoted(text)]
        case .file(let path):
            words += job.kind == .upload ? ["-T", quoted(path)] : ["--data-binary", quoted("@" + path)]
        case .standardInput: words += job.kind == .upload ? ["-T", "-"] : ["--data-binary", "@-"]
        }
        if job.kind == .download {
            if case .name(let name) = job.output { words += ["-o", quoted(name)] } else { words.append("-O") }
        }
        return (words + [quoted(job.url)]).joined(separator: " ")
    }

    private static func impliedMethod(of job: Job) -> String {
        switch (job.kind, job.body) {
        case (.upload, _): "PUT"
        case (_, .none): "GET"
        case (_, .text), (_, .file), (_, .standardInput): "POST"
        }
    }

    /// A word that a shell takes as it is.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
