package import Dashboard

/// The rows of the golden screens.
package enum GoldenRows {
    package static let kibi = 1024.0
    package static let mebi = kibi * 1024
    package static let gibi = mebi * 1024

    /// A row and the speed at which it came to where it is.
    package struct Row: Sendable {
        package var snapshot: RowSnapshot
        /// Bytes per second.
        package var speed: Double = 0

        /// The row as it was before, so that the model measures its speed.
        package func snapshot(halfSecondsLeft steps: Int) -> RowSnapshot {
            var earlier = snapshot
            let missing = Int64(speed / 2) * Int64(steps)
            earlier.received = max(snapshot.received - missing, 0)
            earlier.sent = max(snapshot.sent - missing, 0)
            return earlier
        }
    }

    package static let mockUp: [Row] = [
        changed(
            row(
                1, .download, .running, "debian-12.7.0-amd64-netinst.iso", 631 * mebi, 0.6249, 11.25 * mebi,
                host: "deb.example.org")
        ) { $0.continuation = .yes },
        release,
        row(
            3, .upload, .running, "backup-2026-11-20.tar → /ingest", 1.95 * gibi, 0.4527, 2.15 * mebi,
            host: "up.example.com"),
        changed(row(4, .download, .paused, "dataset-part-0007.parquet", 812 * mebi, 0.911, 0, host: "s3.example.com")) {
            $0.continuation = .unknown
        },
        changed(
            row(
                5, .download, .retrying, "ubuntu-24.04.3-live-server-amd64.iso", 3.05 * gibi, 0.031, 0,
                host: "mirror.example")
        ) {
            $0.continuation = .yes
            $0.retryAt = 10_400
            $0.failedAttempts = 2
            $0.cause = .connectionLost
            $0.error = "Connection reset by mirror.example"
        },
        changed(
            row(
                6, .data, .running, "GET /v2/orders?limit=500", 48.15 * kibi, 1, 9.6 * kibi, host: "api.example.com",
                protocolName: "h2")
        ) {
            $0.expected = nil
            $0.statusCode = 200
        },
        row(7, .download, .queued, "models/embeddings-large.bin", 2.65 * gibi, 0, 0, host: "cdn.example.net"),
        row(8, .upload, .queued, "photos/IMG_2041.HEIC", 4.15 * mebi, 0, 0, host: "up.example.com"),
        changed(row(9, .download, .failed, "nightly/build-8812.zip", 120.4 * mebi, 0.3705, 0, host: "ci.example.org")) {
            $0.continuation = .yes
            $0.statusCode = 404
            $0.cause = .http
            $0.error = "404 Not Found from ci.example.org after 44.6M"
        },
        ended(
            row(10, .data, .done, "POST /v2/login", 1.25 * kibi, 1, 0, host: "api.example.com", protocolName: "h2"), 180
        ),
        ended(row(11, .download, .done, "SHA256SUMS", 2.35 * kibi, 1, 0, host: "deb.example.org"), 90),
        ended(row(12, .upload, .done, "report.pdf", 1.15 * mebi, 1, 0, host: "up.example.com"), 740),
        row(13, .download, .cancelled, "old-image.qcow2", 9.75 * gibi, 0.084, 0, host: "dl.example.net"),
    ]

    /// The details of the data request of the mock-up, which was sent again and again.
    package static let requestDetails: RowDetails = {
        var details = RowDetails()
        details.statusLine = "200 OK"
        details.contentType = "application/json"
        details.httpVersion = "HTTP/2"
        details.latencies = [12, 14, 11, 30, 90, 20, 13, 12, 44, 12]
        details.repeatInterval = 5
        details.requestLine = "POST /v2/orders?limit=500 HTTP/2"
        details.requestHeaders = [.init(name: "Content-Type", value: "application/json")]
        let sent = "{\"state\":\"open\"}"
        details.requestBody = BodyPreview(bytes: sent.utf8, total: sent.utf8.count, contentType: "")
        let text = "{\"orders\":[{\"id\":17,\"note\":\"\u{1B}[31mred\"},{\"id\":18,\"tags\":[]}],\"next\":null}"
        details.body = BodyPreview(bytes: text.utf8, total: text.utf8.count, contentType: "application/json")
        return details
    }()

    /// The details of the data request of the mock-up, when its body is JSON.
    package static let jsonDetails: RowDetails = {
        var details = requestDetails
        let text = """
            {"orders":[{"id":17,"note":"\\u001b[31mred","total":12.50},{"id":18,"tags":[],"paid":true}],"next":null}
            """
        details.body = BodyPreview(bytes: Array(text.utf8), total: text.utf8.count, contentType: "application/json")
        return details
    }()

    /// The details of the upload of the mock-up.
    package static let uploadDetails: RowDetails = {
        var details = RowDetails()
        details.resumeReason = "pausing keeps the connection open; once lost, the upload restarts"
        details.uploadSource = "file, can be sent again from its start"
        details.uploadRepetition = "yes, from the start"
        return details
    }()

    /// Names that try to break out of their cells, with rows of other scripts between them.
    package static let evil: [Row] = [
        row(1, .download, .running, "e\rover\u{8}\u{8}\u{1B}[31mred\u{1B}]0;title\u{7}.iso", 10 * mebi, 0.5, 0),
        row(2, .download, .paused, "invoice\u{202E}fdp.exe\u{2066}\u{200B}\u{FEFF}x", 10 * mebi, 0.25, 0),
        row(3, .download, .queued, "日本語のとても長いファイル名がここにあります.tar.gz", 10 * mebi, 0, 0),
        row(4, .download, .queued, "👨‍👩‍👧 family 🇩🇪 1️⃣ ✔️ 👍🏽.jpg", 10 * mebi, 0, 0),
        row(5, .download, .queued, "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}algo", 10 * mebi, 0, 0),
        row(6, .download, .queued, "\u{301}leading mark", 10 * mebi, 0, 0),
        row(7, .download, .queued, "\u{9B}31m C1 \u{85} \u{E000} \u{E0041} \u{2028}", 10 * mebi, 0, 0),
        row(8, .upload, .failed, "한국어 ภาษาไทย עברית العربية हिन्दी", 10 * mebi, 0.75, 0),
        row(9, .data, .done, "GET /" + String(repeating: "a-very-long-path/", count: 400), 10 * mebi, 1, 0),
    ]

    /// Requests: one that is sent every five seconds, three that are equal, and one that was refused.
    package static let requests: [Row] = [
        changed(ended(row(1, .data, .done, "GET /status · every 5s", 90, 1, 0, protocolName: "h2"), 12)) {
            $0.statusCode = 200
            $0.repetition = .active
        },
        changed(ended(row(2, .data, .done, "POST /v2/orders", 420, 1, 0), 80)) { $0.statusCode = 201 },
        changed(ended(row(3, .data, .done, "POST /v2/orders #2", 420, 1, 0), 71)) { $0.statusCode = 201 },
        changed(ended(row(4, .data, .failed, "POST /v2/orders #3", 60, 1, 0), 40)) {
            ($0.statusCode, $0.cause) = (409, .http)
            $0.error = "409 Conflict from example.com"
        },
        changed(row(5, .data, .running, "GET /v2/export", 0, 0, 0)) { $0.expected = nil },
    ]

    /// Downloads of two folders, and a request that has no file.
    package static let folders: [Row] = [
        changed(ended(row(1, .download, .done, "a.iso", 100 * mebi, 1, 0), 9000)) { $0.path = "/data/images/a.iso" },
        changed(row(2, .download, .running, "b.iso", 300 * mebi, 0.5, 5 * mebi)) { $0.path = "/data/images/b.iso" },
        changed(row(3, .download, .failed, "notes.txt", 10 * kibi, 0.5, 0)) {
            ($0.path, $0.statusCode, $0.cause) = ("/home/me/notes.txt", 404, .http)
        },
        changed(ended(row(4, .data, .done, "GET /v2/orders", kibi, 1, 0), 60)) { $0.statusCode = 200 },
    ]

    /// Five files with one name, from three servers, two folders and two answers of one address.
    package static let sameNames: [Row] = [
        same(1, host: "eu.mirror.example.org", "/v2/linux/64m.bin"),
        same(2, host: "eu.mirror.example.org", "/v2/mac/64m.bin"),
        same(3, host: "us.mirror.example.org:8443", "/v2/linux/64m.bin?part=1&token=***"),
        same(4, host: "us.mirror.example.org:8443", "/v2/linux/64m.bin?part=2&token=***"),
        same(5, host: "cdn.example.net", "/v2/linux/64m.bin"),
        row(6, .download, .queued, "other.bin", 64 * mebi, 0, 0),
    ]

    private static func same(_ id: UInt64, host: String, _ path: String) -> Row {
        changed(row(id, .download, .queued, "64m.bin", 64 * mebi, 0, 0, host: host)) {
            $0.url = SafeText(untrusted: "https://" + host + path)
        }
    }

    private static let release: Row = changed(
        row(
            2, .download, .running, "release-2026.11-linux-x86_64.tar.zst", 4.25 * gibi, 0.1185, 8.95 * mebi,
            host: "dl.example.net")
    ) { snapshot in
        snapshot.url = "https://dl.example.net/r/release-2026.11-linux-x86_64.tar.zst"
        snapshot.path = "/home/me/dl/release-2026.11-linux-x86_64.tar.zst"
        snapshot.statusCode = 206
        snapshot.resumedAt = Int64(0.35 * gibi)
        snapshot.continuation = .yes
    }

    /// The details of the second row of the mock-up.
    package static let releaseDetails: RowDetails = {
        var details = RowDetails()
        details.statusLine = "206 Partial Content"
        details.contentType = "application/zstd"
        details.httpVersion = "HTTP/1.1"
        details.tls = "TLS 1.3"
        details.peer = "203.0.113.7:443"
        details.queued = 12
        details.earlierAttempts = [2150]
        details.nameLookup = 4
        details.connect = 22
        details.secureConnect = 53
        details.requestSent = 54
        details.firstByte = 116
        details.total = 117
        details.attemptStartedAt = 1180
        details.validator = "etag \"a91f07c2\""
        details.acceptsRanges = true
        details.checksum = "sha-256 pending"
        details.localAddress = "192.0.2.4:51544"
        details.resumeReason = "the server supports ranges and names the file's version"
        details.requestLine = "GET /r/release-2026.11-linux-x86_64.tar.zst HTTP/1.1"
        details.requestHeaders = [
            .init(name: "User-Agent", value: "netdash/0.1.0"), .init(name: "Accept", value: "*/*"),
            .init(name: "Range", value: "bytes=375809638-"), .init(name: "If-Range", value: "\"a91f07c2\""),
            .init(name: "Authorization", value: "Bearer very-secret", isSecret: true),
        ]
        details.responseHeaders = [.init(name: "Content-Type", value: "application/zstd")]
        details.log = [
            .init(time: "17:41:02", text: "connect 203.0.113.7"), .init(time: "17:41:02", text: "206, from 375809638"),
        ]
        return details
    }()

    private static func row(
        _ id: UInt64, _ kind: Job.Kind, _ state: RowState, _ name: String, _ size: Double, _ part: Double,
        _ speed: Double,
        host: String = "example.com", protocolName: String = "h1"
    ) -> Row {
        let safeHost = SafeText(untrusted: host)
        var snapshot = RowSnapshot(
            id: id, kind: kind, name: SafeText(untrusted: name),
            url: "https://" + safeHost + "/" + SafeText(untrusted: name))
        snapshot.state = state
        snapshot.host = safeHost
        snapshot.expected = Int64(size)
        let moved = part == 1 ? Int64(size) : Int64(size * part)
        if kind == .upload { snapshot.sent = moved } else { snapshot.received = moved }
        if state != .queued, state != .retrying { snapshot.protocolName = SafeText(untrusted: protocolName) }
        return Row(snapshot: snapshot, speed: speed)
    }

    private static func changed(_ row: Row, _ change: (inout RowSnapshot) -> Void) -> Row {
        var row = row
        change(&row.snapshot)
        return row
    }

    private static func ended(_ row: Row, _ milliseconds: Int64) -> Row {
        changed(row) {
            $0.startedAt = 1000
            $0.endedAt = 1000 + milliseconds
        }
    }
}
