import Glibc
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

@Suite("What is told of servers that nobody asks")
struct BackoffReportTests {
    private let away = ServerBackoff(host: "a.example", cause: .connectionRefused, askedAgainAt: 5_000)
    private let busy = ServerBackoff(host: "b.example:81", cause: .http, statusCode: 429, askedAgainAt: 13_000)
    private let offline = ServerBackoff(host: "c.example", cause: .noNetwork)

    @Test("The beginning and the end of a hold are news, a probe that fails is none")
    func news() {
        var report = BackoffReport()
        var news = report.news([away, busy])
        #expect(news == [.backoff(away), .backoff(busy)])
        var later = away
        later.askedAgainAt = nil
        news = report.news([later, busy])
        #expect(news.isEmpty)
        later.cause = .timedOut
        news = report.news([later])
        #expect(news == [.backoff(later), .released("b.example:81")])
        news = report.news([])
        #expect(news == [.released("a.example")])
    }

    @Test("A proxy that is away is named once, however many servers are asked by it")
    func proxy() throws {
        let hosts = ["http://a.example:80", "http://b.example:80"].map {
            HostBackoff(
                origin: $0, route: "http://p.example:3128", unreached: "http://p.example:3128", reason: .unreachable,
                cause: .connectionRefused, askedAgainAt: 5_000)
        }
        var report = BackoffReport()
        let news = report.news(hosts.map { ServerBackoff($0) })
        #expect(news.count == 1)
        guard case .backoff(let server) = news.first else { return }
        #expect(server.name == "p.example:3128" && server.host == "a.example")
        let released = report.news([])
        #expect(released == [.released("p.example:3128")])
    }

    @Test("A network that is gone is told once, however many servers that is")
    func network() {
        var report = BackoffReport()
        var second = offline
        second.host = "d.example"
        var news = report.news([away, offline])
        #expect(news == [.network(isGone: true), .backoff(away)])
        news = report.news([away, offline, second])
        #expect(news.isEmpty)
        news = report.news([away])
        #expect(news == [.network(isGone: false)])
    }

    @Test("Each time that a server gets fewer tasks at once is news, and that it gets all; one more at a time is none")
    func limits() {
        var report = BackoffReport()
        var news = report.news(limits: ["b.example": 4, "a.example": 8])
        #expect(news == [.limited("a.example", 8), .limited("b.example", 4)])
        for counts in [["b.example": 5, "a.example": 9], ["b.example": 6, "a.example": 9]] as [[SafeText: Int]] {
            news = report.news(limits: counts)
            #expect(news.isEmpty)
        }
        news = report.news(limits: ["b.example": 3])
        #expect(news == [.unlimited("a.example"), .limited("b.example", 3)])
        news = report.news(limits: [:])
        #expect(news == [.unlimited("b.example")])
    }

    @Test("A run that tells failures alone says once that there is no network, so that nobody wonders")
    func quiet() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var printer = EventPrinter(style: .errorsOnly, log: nil, descriptor: ends[1])
        for servers in [[away], [away, offline], [away], [offline]] { printer.print(servers, at: 0) }
        #expect(printer.close().isEmpty)
        let text = String(decoding: try #require(try Descriptor.read(ends[0], limit: 4096)), as: UTF8.self)
        #expect(text.contains(" \(ServerLines.networkDown)\n") && text.split(separator: "\n").count == 1)
    }

    @Test("Lines and JSON have words for it")
    func words() {
        let plain = PlainEventFormatter { _ in "12:00:00" }
        func line(_ news: BackoffReport.News) -> String {
            String(decoding: plain.line(for: news, time: Timestamp(milliseconds: 0), now: 1_000), as: UTF8.self)
        }
        let words = ServerLines.backingOff("b.example:81", "429", retryIn: "12.0s")
        #expect(line(.backoff(busy)) == "12:00:00 \(words)\n")
        #expect(line(.released("a.example")) == "12:00:00 \(ServerLines.available("a.example"))\n")
        #expect(line(.network(isGone: true)) == "12:00:00 \(ServerLines.networkDown)\n")
        #expect(line(.network(isGone: false)) == "12:00:00 \(ServerLines.networkBack)\n")
        #expect(line(.limited("a.example", 1)) == "12:00:00 \(ServerLines.limited("a.example", to: 1))\n")
        #expect(line(.unlimited("a.example")) == "12:00:00 \(ServerLines.unlimited("a.example"))\n")
        func json(_ news: BackoffReport.News) -> String {
            let line = JSONEventFormatter().line(for: news, time: Timestamp(milliseconds: 0), now: 1_000)
            return String(decoding: line, as: UTF8.self)
        }
        #expect(json(.backoff(busy)).contains(#""event":"backoff""#) && json(.backoff(busy)).contains(#""status":429"#))
        #expect(json(.backoff(busy)).contains(#""host":"b.example:81","kind":"http""#))
        #expect(json(.released("a.example")).contains(#""event":"released""#))
        #expect(json(.network(isGone: true)).contains(#""event":"offline""#))
        #expect(json(.limited("a.example", 4)).contains(#""host":"a.example","tasks":4"#))
        #expect(json(.unlimited("a.example")).contains(#""event":"unlimited""#))
    }

    @Test(
        "A held host has the name that its rows have",
        arguments: [
            ("http://h:80", "h"), ("https://h:443", "h"), ("https://h:80", "h:80"), ("http://[::1]:8080", "[::1]:8080"),
        ])
    func names(origin: String, name: String) {
        let host = HostBackoff(origin: origin, reason: .noNetwork, cause: .unknownHost)
        let server = ServerBackoff(host)
        #expect(server.host.string == name && server.cause == .noNetwork)
        let refused = ServerBackoff(HostBackoff(origin: origin, reason: .unreachable, cause: .connectionRefused))
        #expect(refused.cause == .connectionRefused)
    }
}
