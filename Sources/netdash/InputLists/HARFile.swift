import Dashboard
import Foundation
import SessionSupport

/// The requests of a HAR file, as browsers export them: each GET is a download with the fields that the browser sent.
///
/// Other requests are left out, because repeating them may change something.
enum HARFile {
    private struct Root: Decodable {
        let log: Log
    }

    private struct Log: Decodable {
        let entries: [Entry]
    }

    private struct Entry: Decodable {
        let request: Request
        let response: Response?
    }

    private struct Request: Decodable {
        let method: String
        let url: String
        let headers: [Header]?
    }

    private struct Header: Decodable {
        let name: String
        let value: String
    }

    private struct Response: Decodable {
        let status: Int?
    }

    /// Whether a document is such a file, by its first members.
    @Sendable static func isLike(_ beginning: String) -> Bool {
        beginning.first { !$0.isWhitespace } == "{" && beginning.contains("\"log\"")
            && ["\"creator\"", "\"entries\"", "\"browser\"", "\"pages\""].contains { beginning.contains($0) }
    }

    /// Fields that belong to the browser's connection, to its cache or to another part of the file.
    private static let leftOut: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-authorization", "proxy-connection",
        "range", "te", "transfer-encoding", "upgrade", "upgrade-insecure-requests",
    ]

    static func contents(of file: ListDocument) throws(UsageError) -> ListFormat.Contents {
        let root: Root
        do {
            root = try JSONDecoder().decode(Root.self, from: Data(try file.text().utf8))
        } catch {
            throw UsageError(argument: file.name, PageUsage.notHAR)
        }
        var jobs: [Job] = []
        var seen: Set<String> = []
        var (others, otherSchemes, unchosen) = (0, 0, 0)
        var unanswered: Set<String> = []
        for entry in root.log.entries {
            // Such as data: and blob:, of which no server has a file.
            guard URLScan(entry.request.url).isWebAddress else {
                otherSchemes += 1
                continue
            }
            guard file.choice.isEmpty || file.choice.takes(entry.request.url, onSameServer: true) else {
                unchosen += 1
                continue
            }
            guard entry.request.method == "GET" else {
                others += 1
                continue
            }
            guard isAnswered(entry) else {
                unanswered.insert(entry.request.url)
                continue
            }
            guard let url = try? URLText.checked(entry.request.url, label: ""), seen.insert(url).inserted else {
                continue
            }
            var job = file.download(url, number: jobs.count + 1)
            // The user's own file may have the browser's secrets, a server's must not choose fields.
            if file.source == .user {
                for header in entry.request.headers ?? [] { add(header, to: &job) }
            }
            jobs.append(job)
        }
        guard !jobs.isEmpty else { throw UsageError(argument: file.name, PageUsage.noRequest) }
        let remark = PageUsage.leftOut(
            SafeText(untrusted: file.name), otherMethods: others, unanswered: unanswered.subtracting(seen).count,
            otherSchemes: otherSchemes, unchosen: unchosen)
        return ListFormat.Contents(jobs: jobs, remarks: remark.map { [$0] } ?? [])
    }

    /// Whether the server sent the file, or said that the browser's copy is the file, as far as the entry says; the
    /// status of a request that was never answered is 0.
    private static func isAnswered(_ entry: Entry) -> Bool {
        guard let status = entry.response?.status else { return true }
        return (200..<300).contains(status) || status == 304
    }

    private static func add(_ header: Header, to job: inout Job) {
        let name = ByteText.lowercased(header.name[...])
        guard !name.hasPrefix(":"), !leftOut.contains(name),
            !job.headers.contains(where: { ByteText.isSame($0.name, name) }),
            let field = try? ValueParser.header("\(header.name): \(header.value)", label: "")
        else { return }
        job.headers.append(field)
    }
}
