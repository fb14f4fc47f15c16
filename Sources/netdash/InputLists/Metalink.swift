import Dashboard
import SessionSupport

/// Reads the jobs of a Metalink of version 4 (RFC 5854): files with their places, lengths and digests.
///
/// A file comes under the name that the Metalink has for it, which must not lead out of the folder of downloads. Places
/// other than http and https are left out; the digest is the strongest one that is known.
enum Metalink {
    private static let fileLimit = 10_000
    private static let namespace = "urn:ietf:params:xml:ns:metalink"
    /// Where a place stands that names no priority.
    private static let lastPriority = 999_999

    /// Whether bytes are markup and no list of URLs.
    static func isLike(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// The jobs of all files; throws one sentence for the first thing that is wrong.
    ///
    /// - Parameters:
    ///   - name: what the Metalink is called in the sentence.
    ///   - unverified: hears of files that nothing is compared with although digests stand in the Metalink: of pieces alone,
    ///     or of a kind that is not known.
    static func jobs(
        in bytes: [UInt8], name: String, defaults: Job, unverified: (String) -> Void = { _ in }
    ) throws(UsageError) -> [Job] {
        let root: Markup
        do throws(Markup.Fault) {
            root = try Markup.read(bytes)
        } catch {
            throw UsageError(argument: "\(name):\(error.line)", MetalinkUsage.notMetalink(error.reason))
        }
        guard root.name == "metalink" else {
            throw UsageError(argument: name, MetalinkUsage.root(root.name))
        }
        guard root.attributes.values.contains(namespace) else {
            let version = root.attributes["version"].map { MetalinkUsage.version($0) }
            throw UsageError(argument: name, version ?? MetalinkUsage.otherVersion)
        }
        let files = root.all("file")
        guard !files.isEmpty, files.count <= fileLimit else {
            throw UsageError(
                argument: name, files.isEmpty ? MetalinkUsage.noFile : MetalinkUsage.tooManyFiles(fileLimit))
        }
        var seen: Set<String> = []
        var jobs: [Job] = []
        for file in files {
            let job = try job(of: file, name, defaults)
            guard seen.insert(file.attributes["name"] ?? "").inserted else {
                throw UsageError(argument: name, MetalinkUsage.twice(file.attributes["name"] ?? ""))
            }
            jobs.append(job)
            if job.checksum == nil, !file.all("hash").isEmpty || !file.all("pieces").isEmpty {
                unverified(file.attributes["name"] ?? "")
            }
        }
        return jobs
    }

    private static func job(of file: Markup, _ label: String, _ defaults: Job) throws(UsageError) -> Job {
        let name = file.attributes["name"] ?? ""
        guard ListSource.isSafe(name) else {
            throw UsageError(
                argument: label,
                MetalinkUsage.unsafeName(name))
        }
        let urls = places(of: file)
        guard let first = urls.first else {
            throw UsageError(argument: label, MetalinkUsage.noURL(name))
        }
        var job = defaults
        job.kind = .download
        job.url = first
        job.output = .name(name)
        if let checksum = try checksum(of: file, name, label) { job.checksum = checksum }
        if let text = file.all("size").first.map({ ByteText.trimmed($0.text[...]) }) {
            guard let size = ByteText.decimal(text) else {
                throw UsageError(argument: label, MetalinkUsage.size(text, of: name))
            }
            if size > 0 { job.options.append(JobOption.Value(.length, String(size))) }
        }
        job.options += urls.dropFirst().map { JobOption.Value(.mirror, $0) }
        return job
    }

    /// The usable places, the one with the lowest number first.
    private static func places(of file: Markup) -> [String] {
        let found = file.all("url").enumerated().compactMap { index, element -> (Int, Int, String)? in
            let text = ByteText.trimmed(element.text[...])
            guard URLScan(text).isWeb, let url = try? URLText.checked(text, label: "") else { return nil }
            let priority = element.attributes["priority"].flatMap { Int($0) } ?? lastPriority
            return (priority, index, url)
        }
        return found.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    /// The strongest digest of the whole file; nil where none is known.
    private static func checksum(
        of file: Markup, _ name: String, _ label: String
    ) throws(UsageError) -> Job.Checksum? {
        let hashes = file.all("hash")
        for kind in ["sha-512", "sha-256", "sha-1", "md5"] {
            guard let hash = hashes.first(where: { ByteText.lowercased(($0.attributes["type"] ?? "")[...]) == kind })
            else { continue }
            do throws(UsageError) {
                return try ValueParser.checksum("\(kind)=\(ByteText.trimmed(hash.text[...]))", label: label)
            } catch {
                throw UsageError(argument: label, MetalinkUsage.digest(kind, of: name))
            }
        }
        return nil
    }
}
