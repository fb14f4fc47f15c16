import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Lists opened in the dashboard")
struct ListReadingTests {
    private func jobs(_ text: String, as name: String, defaults: Job = Job(kind: .download, url: "")) throws -> [Job] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return try ListReading.jobs(of: file.path, defaults: defaults)
    }

    @Test("A list is read whatever its name", arguments: ["urls", "urls.txt", "urls.list"])
    func lists(name: String) throws {
        let jobs = try jobs("http://h/a\n  out=b\nhttp://h/c\n", as: name)
        #expect(jobs.map(\.url) == ["http://h/a", "http://h/c"])
        #expect(jobs[0].output == .name("b"))
        #expect(jobs.allSatisfy { $0.directory == nil })
    }

    @Test(
        "Other formats are told by the name or by the bytes",
        arguments: [
            ("urls.csv", "url,out\nhttp://h/a,b\n"), ("page.url", "[InternetShortcut]\nURL=http://h/a\n"),
            ("commands.curl", "curl http://h/a\n"), ("requests.http", "GET http://h/a\n"),
            ("urls.jsonl", "{\"url\":\"http://h/a\"}\n"),
        ])
    func formats(name: String, text: String) throws {
        #expect(try jobs(text, as: name).map(\.url) == ["http://h/a"])
    }

    @Test("Lines have the form's settings, and a folder of their own where they say so")
    func defaults() throws {
        var defaults = Job(kind: .download, url: "", directory: "/data")
        defaults.tag = "night"
        let jobs = try jobs("http://h/a\nhttp://h/b\n  dir=/other\n", as: "urls", defaults: defaults)
        #expect(jobs.map(\.tag) == ["night", "night"])
        #expect(jobs.map(\.directory) == ["/data", "/other"])
    }

    @Test(
        "The form's template names files without their own names",
        arguments: [
            ("urls", "http://h/a\nhttp://i/b\n  out=c\n", ["1-h", "c"]),
            ("a.url", "[InternetShortcut]\nURL=http://h/a\n", ["1-h"]),
            ("a.curl", "curl -O http://h/a\ncurl -o c http://i/b\n", ["1-h", "c"]),
        ])
    func templates(name: String, text: String, names: [String]) throws {
        var defaults = Job(kind: .download, url: "")
        defaults.output = .name("{number}-{host}")
        #expect(try jobs(text, as: name, defaults: defaults).map(\.output.name) == names)
    }

    @Test(
        "What cannot be read adds nothing and is told",
        arguments: [
            ("urls", "http://h/a\nno such line here\n"), ("urls", ""), ("urls", "http://h/a\n  colour=red\n"),
            ("x.metalink", "http://h/a\n"), ("urls", "http://h/a\nhttp://h/b\n  body-file=/nonexistent/body\n"),
        ])
    func refusals(name: String, text: String) {
        #expect(throws: UsageError.self) { try jobs(text, as: name) }
    }

    @Test("A folder, a device and a missing file are no lists", arguments: ["/", "/dev/zero", "/nonexistent/urls"])
    func noFiles(path: String) {
        guard case .list(let jobs, let problem) = ListReading.message(path, defaults: Job(kind: .download, url: ""))
        else { return }
        #expect(jobs.isEmpty && problem?.isEmpty == false)
        #expect(path != "/" || problem?.string == IdentityUsage.folder("/"))
    }
}
