import Foundation
import SessionSupport

/// Chooses the content type of a job's body without one: the type of `curl -d`, or JSON for JSON.
package enum BodyContentType {
    /// The type that curl sends with `-d`.
    package static let form = "application/x-www-form-urlencoded"
    package static let json = "application/json"

    /// The type that a job's body implies; nil without a body, with an explicit type, and for an upload of a file,
    /// whose bytes may be anything.
    package static func implied(by job: Job) -> String? {
        let isSaid = job.headers.contains { ByteText.isSame($0.name, "content-type") }
        guard !isSaid, !job.withheldFields.contains(where: { ByteText.isSame($0, "content-type") }) else { return nil }
        if job.options.contains(.jsonBody) { return json }
        if job.options.contains(where: \.option.isFormPart), !job.options.contains(.form) { return form }
        switch (job.kind, job.body) {
        case (_, .none), (.download, _), (.upload, .file), (.upload, .standardInput): return nil
        case (_, .text(let text)): return isJSON(text) ? json : form
        case (.data, .file(let path)): return path.lowercased().hasSuffix(".json") ? json : form
        case (_, .formFile), (.data, .standardInput): return form
        }
    }

    /// Removes the implied header field from a job that was made of a request.
    package static func removeImplied(from job: inout Job) {
        guard let type = job.headers.singleValue(named: "Content-Type"),
            job.headers.contains(where: { $0.name == "Content-Type" })
        else { return }
        var bare = job
        bare.headers.removeAll(named: "Content-Type")
        if implied(by: bare) == type { job = bare }
    }

    /// Whether a text is an object or an array; a single number or word may be anything.
    private static func isJSON(_ text: String) -> Bool {
        guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else { return false }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    }
}

/// Formats a job as a curl command for a shell.
package enum CurlCommand {
    package static func text(of job: Job) -> String {
        var words = job.options.contains(.keepsRedirects) ? ["curl"] : ["curl", "-L"]
        if job.options.contains(.keepsMethod) || job.sentMethod != impliedMethod(of: job) {
            words += ["-X", quoted(job.sentMethod)]
        }
        for header in job.ownHeaders {
            // Without a value, curl takes a colon for a field that is not to be sent.
            words += ["-H", quoted(header.value.isEmpty ? header.name + ";" : "\(header.name): \(header.value)")]
        }
        for name in job.withheldFields { words += ["-H", quoted(name + ":")] }
        // Without one curl sends the type of a form, or JSON with --json.
        if let type = BodyContentType.implied(by: job), type != BodyContentType.form,
            !job.options.contains(.jsonBody)
        {
            words += ["-H", quoted("Content-Type: " + type)]
        }
        switch job.body {
        case .none: break
        case .text(let text): words += ["--data-raw", quoted(text)]
        case .file(let path):
            words += job.kind == .upload ? ["-T", quoted(path)] : ["--data-binary", quoted("@" + path)]
        case .formFile(let path): words += ["-d", quoted("@" + path)]
        case .standardInput: words += job.kind == .upload ? ["-T", "-"] : ["--data-binary", "@-"]
        }
        words += CurlOptions.words(of: job.options)
        if job.kind == .download {
            if case .name(let name) = job.output { words += ["-o", quoted(name)] } else { words.append("-O") }
        }
        if TransferRequest.readsPattern(in: job.url) { words.append("-g") }
        return (words + [quoted(job.url)]).joined(separator: " ")
    }

    /// The method that curl sends without `-X`.
    private static func impliedMethod(of job: Job) -> String {
        if job.options.contains(where: { $0.option.isBody }) { return "POST" }
        return switch (job.kind, job.body) {
        case (_, .none): "GET"
        case (.upload, .file), (.upload, .standardInput): "PUT"
        case (_, .text), (_, .file), (_, .formFile), (_, .standardInput): "POST"
        }
    }

    private static func quoted(_ text: String) -> String { CurlOptions.quoted(text) }
}

extension Job {
    /// The names of the fields that are not sent by default.
    var withheldFields: [String] { options.filter { $0.option == .withoutHeader }.map(\.text) }

    /// The fields that are sent as they are given: an option such as `--user-agent` replaces a field of its name.
    var ownHeaders: [HeaderFields.Element] {
        let replaced = options.terms.headers
        return headers.filter { replaced[$0.name] == nil }
    }
}
