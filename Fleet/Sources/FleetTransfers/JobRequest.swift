internal import FleetQueue
internal import Foundation
internal import SessionCore

/// A job as SessionCore's request, with its secrets.
struct JobRequest {
    var request: TransferRequest
    /// What no cause and no log may contain.
    var secrets: [String] = []

    init(
        _ job: ClaimedJob, policy: SecretPolicy, environment: [String: String],
        outputs: [String: Result<String, TransferFault>] = [:]
    ) throws(TransferFault) {
        request = TransferRequest(url: job.url)
        let options: [String: [String]]
        do { options = try JobRules.options(ofRequest: job.request) } catch { throw TransferFault(error.text) }
        func secret(_ text: String) throws(TransferFault) -> String {
            guard let reference = SecretReference(text) else { return text }
            let value = try policy.read(reference, host: job.host, environment: environment, outputs: outputs)
            secrets.append(value)
            return value
        }
        for field in options["header"] ?? [] {
            let (name, value) = Self.halves(field, at: ":")
            request.headers.append(name: name, value: try secret(value))
        }
        for text in options["bearer"] ?? [] {
            request.headers.append(name: "Authorization", value: "Bearer " + (try secret(text)))
        }
        for text in options["auth"] ?? [] {
            let parts = try secret(text).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw TransferFault(TransferFaults.badCredentials) }
            secrets.append(String(parts[1]))
            request.options = RequestOptions()
            request.options?.credentials = RequestCredentials(user: String(parts[0]), password: String(parts[1]))
        }
        for parameter in options["query"] ?? [] {
            let (name, value) = Self.halves(parameter, at: "=")
            append(name, try secret(value))
        }
    }

    /// The commands whose output the job needs.
    static func commands(of job: ClaimedJob) -> Set<String> {
        guard let options = try? JobRules.options(ofRequest: job.request) else { return [] }
        var commands: Set<String> = []
        for (name, values) in options {
            for value in values {
                let text: String
                switch name {
                case "header": text = halves(value, at: ":").1
                case "query": text = halves(value, at: "=").1
                default: text = value
                }
                if case .command(let command)? = SecretReference(text) { commands.insert(command) }
            }
        }
        return commands
    }

    private static func halves(_ text: String, at separator: Character) -> (String, String) {
        let mark = text.firstIndex(of: separator) ?? text.endIndex
        let value = mark == text.endIndex ? "" : text[text.index(after: mark)...]
        return (text[..<mark].trimmingCharacters(in: .whitespaces), value.trimmingCharacters(in: .whitespaces))
    }

    private mutating func append(_ name: String, _ value: String) {
        let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
        if value != encoded(value) { secrets.append(encoded(value)) }
        let fragment = request.url.firstIndex(of: "#") ?? request.url.endIndex
        let separator = request.url[..<fragment].contains("?") ? "&" : "?"
        request.url = request.url[..<fragment] + separator + encoded(name) + "=" + encoded(value)
    }

    /// The target below a worker's folder: by default a file with its content counts as done, none is replaced.
    static func target(
        of job: ClaimedJob, below root: String, collision: DownloadTarget.Collision = .same
    ) -> DownloadTarget {
        let path = root + "/" + job.destination
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        var target = DownloadTarget(
            folder: String(path[..<slash]), name: .fixed(String(path[path.index(after: slash)...])),
            collision: collision, checksum: job.checksum.flatMap(checksum))
        // An earlier claim may have left a part a moment ago.
        target.sharesFolder = job.epoch > 1
        return target
    }

    private static func checksum(_ text: String) -> Checksum? {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let algorithm = Checksum.Algorithm(rawValue: String(parts[0])) else { return nil }
        var digest: [UInt8] = []
        var digits = parts[1][...]
        while digits.count >= 2 {
            guard let byte = UInt8(digits.prefix(2), radix: 16) else { return nil }
            digest.append(byte)
            digits = digits.dropFirst(2)
        }
        return Checksum(algorithm: algorithm, digest: digest)
    }
}
