import Foundation
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService

/// The cookies of Firefox.
@Suite("Cookies of Firefox", .timeLimit(.minutes(1)))
struct FirefoxCookiesTests {
    /// A row of the database.
    struct Row {
        var host = "h.example"
        var path = "/"
        var isSecure = false
        var expiry: Int64 = 4_000_000_000
        var name = "a"
        var attributes = ""
    }

    private let home: String

    init() throws {
        home = FileManager.default.temporaryDirectory.appendingPathComponent("firefox-\(UUID().uuidString)").path
    }

    /// Writes a profile as Firefox does.
    @discardableResult
    static func write(_ rows: [Row], to folder: String) throws -> SQLiteDatabase {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: folder + "/cookies.sqlite"))
        let database = try SQLiteDatabase(path: folder + "/cookies.sqlite")
        _ = try database.texts("PRAGMA journal_mode=WAL")
        try database.execute(
            """
            CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', name TEXT,
            value TEXT, host TEXT, path TEXT, expiry INTEGER, isSecure INTEGER, isHttpOnly INTEGER)
            """)
        for row in rows {
            try database.execute(
                """
                INSERT INTO moz_cookies (originAttributes, name, value, host, path, expiry, isSecure, isHttpOnly)
                VALUES ('\(row.attributes)', '\(row.name)', '1', '\(row.host)', '\(row.path)', \(row.expiry),
                \(row.isSecure ? 1 : 0), 1)
                """)
        }
        return database
    }

    private func field(
        _ url: String, _ browser: String = "firefox", settings: String? = nil
    ) throws -> String? {
        var job = Job(kind: .data, url: url)
        job.options = [JobOption.Value(.cookiesFrom, browser)]
        var request = TransferRequest(url: url)
        var environment = ["HOME": home]
        environment["XDG_CONFIG_HOME"] = settings
        try JobIdentity(environment: environment).complete(&request, of: job)
        return request.options?.cookies?.field(for: url)
    }

    @Test("Domain, path, encryption, expiry and container decide which cookies are sent, while Firefox writes")
    func sent() throws {
        let rows = [
            Row(name: "own"), Row(host: ".h.example", name: "domain"), Row(path: "/p", name: "path"),
            Row(isSecure: true, name: "secure"), Row(expiry: 1_000_000_000, name: "old"),
            Row(expiry: 4_000_000_000_000, name: "milliseconds"),
            Row(name: "container", attributes: "^userContextId=1"),
            Row(host: "other.example", name: "other"),
        ]
        let writer = try Self.write(rows, to: home + "/.mozilla/firefox/abc.default-release")
        func names(_ url: String) throws -> Set<String> {
            Set(
                (try field(url) ?? "").split(separator: ";").map { $0.drop { $0 == " " }.prefix { $0 != "=" } }.map(
                    String.init))
        }
        #expect(try names("http://h.example/") == ["own", "domain", "milliseconds"])
        #expect(try names("https://h.example/p") == ["own", "domain", "milliseconds", "path", "secure"])
        #expect(try names("http://sub.h.example/") == ["domain"])
        #expect(try names("http://else.example/") == [])
        withExtendedLifetime(writer) {}
    }

    @Test("Profiles in the folder of settings are found too, in the one that is named or in the usual one")
    func settings() throws {
        try Self.write([Row(name: "usual")], to: home + "/.config/mozilla/firefox/abc.one")
        try Self.write([Row(name: "named")], to: home + "/own/mozilla/firefox/abc.one")
        try Self.write([Row(name: "packed")], to: home + "/.var/app/org.mozilla.firefox/config/mozilla/firefox/abc.two")
        #expect(try field("http://h.example/", "firefox:one") == "usual=1")
        #expect(try field("http://h.example/", "firefox:one", settings: "relative") == "usual=1")
        #expect(try field("http://h.example/", "firefox:one", settings: home + "/own") == "named=1")
        #expect(try field("http://h.example/", "firefox:two") == "packed=1")
    }

    @Test("A profile is found by its name or its path, and a missing one is named")
    func profiles() throws {
        try Self.write([Row(name: "one")], to: home + "/.mozilla/firefox/abc.one")
        try Self.write([Row(name: "two")], to: home + "/elsewhere")
        #expect(try field("http://h.example/", "firefox:one") == "one=1")
        #expect(try field("http://h.example/", "firefox:\(home)/elsewhere") == "two=1")
        #expect(throws: JobIdentity.Problem(option: .cookiesFrom, sentence: IdentityUsage.noProfile("three"))) {
            try field("http://h.example/", "firefox:three")
        }
    }
}
