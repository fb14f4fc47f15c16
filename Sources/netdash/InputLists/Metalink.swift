import Dashboard
import SessionSupport

/// Reads the jobs of a Metalink of version 4 (RFC 5854) or 3: files with their URLs, lengths and digests.
///
/// A file gets its name from the Metalink, which must not lead out of the download folder. URLs other than http and
/// https are left out; the strongest known digest applies. Digests of pieces are not read: 4 GiB in pieces of 1 MiB
/// would add 80 KiB to a row and prove no more than the file's digest.
enum Metalink {
    private static let fileLimit = 10_000
    static let namespace = "urn:ietf:params:xml:ns:metalink"
    /// The priority of a URL without one.
    private static let lastPriority = 999_999

    /// The jobs of all files; throws a sentence about the first problem.
    ///
    /// - Parameters:
    ///   - name: the Metalink's name in the sentence.
    ///   - unverified: receives files without a usable digest although the Metalink has some: only of pieces, or
    ///     of unknown kinds.
    static func jobs(
        in bytes: [UInt8], name: String, defaults: Job, unverified: (String) -> Void = { _ in }
    ) throws(UsageError) -> [Job] {
        let root: Markup
        do throws(Markup.Fault) {
            root = OldMetalink.modernised(try Markup.read(bytes))
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
        let urls = mirrorURLs(of: file)
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

    /// The usable URLs, lowest priority number first.
    private static func mirrorURLs(of file: Markup) -> [String] {
        let found = file.all("url").enumerated().compactMap { index, element -> (Int, Int, String)? in
            let text = ByteText.trimmed(element.text[...])
            guard URLScan(text).isWeb, let url = try? URLText.checked(text, label: "") else { return nil }
            let priority = element.attributes["priority"].flatMap { Int($0) } ?? lastPriority
            return (priority, index, url)
        }
        return found.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    /// The strongest digest of the complete file; nil where none is known.
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
