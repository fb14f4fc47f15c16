import SessionCore
import Testing

@testable import TransferService
@testable import netdash

/// The folders of URLs as folders on disk.
@Suite("Folders of the server", .timeLimit(.minutes(1)))
struct ServerFoldersTests {
    @Test(
        "Each folder is one entry below the one before it, and none leads out",
        arguments: [
            ("http://h/a/b/f", "a/b"), ("http://h/f", ""), ("http://h", ""), ("http://h/a/", "a"),
            ("http://h/a//b/f?x=/y/z", "a/b"), ("http://h/a/../../b/f", "a/b"), ("http://h/%2e%2e/%2E./f", ""),
            ("http://h/a%2Fb/f", "a_b"), ("http://h/..%2f..%2fetc/f", "_._.._etc"), ("http://h/.ssh/f", "_ssh"),
            ("http://h/a%00%0ab/f", "a__b"), ("http://h/a%5Cb/f", "a_b"), ("http://h/na%C3%AFve%20x/f", "naïve x"),
            ("http://h/%FF/f", "\u{FFFD}"),
        ])
    func folders(url: String, expected: String) {
        #expect(ServerFolders.path(of: url) == expected)
    }

    @Test("A folder fits into a directory entry")
    func long() {
        let path = ServerFolders.path(of: "http://h/" + String(repeating: "%C3%AF", count: 200) + "/f")
        #expect(path.utf8.count == 254)
    }

    @Test("A job is placed once, in lists too, and only a download")
    func placed() throws {
        var job = try #require(CommandLine.parse(["-d", "out", "--relative", "http://h/a/b/f"]).get().jobs.first)
        #expect(job.options.contains(.relative))
        job.directory = "out"
        let placed = ServerFolders.placed(job, defaultDirectory: nil)
        #expect(placed.directory == "out/a/b" && placed.options.isEmpty)
        #expect(ServerFolders.placed(placed, defaultDirectory: nil) == placed)
        job.directory = nil
        #expect(ServerFolders.placed(job, defaultDirectory: "else").directory == "else/a/b")
        let plain = Job(kind: .download, url: "http://h/a/b/f")
        #expect(ServerFolders.placed(plain, defaultDirectory: nil) == plain)
        let list = InputListParser.jobs(in: Array("http://h/a/f\n relative=yes\n".utf8), name: "l", defaults: plain)
        #expect(try list.get().first?.options.contains(.relative) == true)
    }
}
