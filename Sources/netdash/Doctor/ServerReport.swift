import Dashboard
import SessionSupport
import TransferService

/// The facts about a server from one request.
struct ServerReport: Sendable, Equatable {
    /// The URL without its secrets.
    var url: String
    var isEncrypted = false
    /// Whether credentials were sent.
    var isIdentified = false
    /// The URL that a redirect led to; empty without one.
    var target: SafeText = .empty
    /// Why there was no response; nil when there was one, whatever its status.
    var failure: SafeText?
    var cause: Cause?
    /// The response's status; nil without a response.
    var status: Int?
    /// `200 OK`.
    var statusLine: SafeText = .empty
    /// `HTTP/1.1`.
    var httpVersion: SafeText = .empty
    var peer: SafeText = .empty
    /// `TLS 1.3`; empty without it.
    var tls: SafeText = .empty
    /// Milliseconds from the start; nil where the step has not happened.
    var nameLookup: Int?
    var connect: Int?
    var secureConnect: Int?
    var firstByte: Int?
    /// The server's clock in seconds since 1970.
    var date: Int64?

    /// Sends a request and waits for its end.
    ///
    /// Blocks until then, up to its time limit.
    static func ask(_ job: Job, settings: Settings) -> ServerReport {
        var settings = settings
        settings.retries = 0
        let observer = EndObserver()
        let bridge = LocalService(settings: settings.forService, printsBodies: false, for: observer.interest)
        bridge.observe(observer)
        bridge.send(.add([job]))
        observer.wait()
        var report = ServerReport(url: Redaction.url(job.url), isEncrypted: URLScan(job.url).isEncrypted)
        report.isIdentified = job.saysWhoAsks
        if let row = bridge.allSnapshots.first { report.read(row, bridge.details(of: row.figures.id)) }
        _ = bridge.close()
        return report
    }

    private mutating func read(_ row: RowSnapshot, _ details: RowDetails?) {
        status = row.figures.statusCode
        // The last of too many redirects has a status too.
        if (status ?? 0) < 400, status == nil || row.figures.state == .failed {
            (failure, cause) = (row.error ?? ServerFindings.noResponse, row.figures.cause)
        }
        guard let details else { return }
        (statusLine, httpVersion) = (details.statusLine, details.httpVersion)
        peer = details.peer
        if details.redirects > 0 { target = details.answeredURL }
        tls = details.tls
        nameLookup = details.nameLookup
        connect = details.connect
        secureConnect = details.secureConnect
        firstByte = details.firstByte
        let field = details.responseHeaders.first { ByteText.lowercased($0.name.string[...]) == "date" }
        date = field.flatMap { HTTPDate.seconds($0.value.string) }
    }
}
