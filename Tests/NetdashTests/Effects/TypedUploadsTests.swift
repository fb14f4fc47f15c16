import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Files that the form of an upload names")
struct TypedUploadsTests {
    /// A folder with files of odd names, and what a text below it leads to.
    private func uploads(_ text: (String) -> String, to url: String = "http://h/in/") throws -> [String] {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let folder = root.appending(path: "photos")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        for name in ["a.jpg", "b.jpg", "c d.txt", "[1].png", ".hidden.jpg"] {
            try Data("x".utf8).write(to: folder.appending(path: name))
        }
        let job = Job(kind: .upload, url: url, body: .file(path: text(folder.path)))
        return try TypedUploads.jobs([job]).items.map(\.url)
    }

    @Test("A pattern, several words, a folder, and a file whose name looks like one of them")
    func forms() throws {
        #expect(try uploads { $0 + "/*.jpg" } == ["http://h/in/a.jpg", "http://h/in/b.jpg"])
        #expect(try uploads { $0.dropLast(3) + "*/[a]*" } == ["http://h/in/a.jpg"])
        #expect(try uploads { $0 + "/b.jpg " + $0 + "/a.jpg" } == ["http://h/in/b.jpg", "http://h/in/a.jpg"])
        #expect(try uploads { "'" + $0 + "/c d.txt' " + $0 + "/a.jpg" }.count == 2)
        #expect(try uploads { $0 + "/c d.txt" } == ["http://h/in/c%20d.txt"])
        #expect(try uploads { $0 + "/[1].png" } == ["http://h/in/%5B1%5D.png"])
        #expect(try uploads { $0 + "/.h*" } == ["http://h/in/.hidden.jpg"])
        #expect(try uploads { $0 + "/" }.contains("http://h/in/photos/.hidden.jpg"))
        #expect(try uploads { $0 + "/" }.count == 5)
    }

    @Test("The partial files of downloads in a folder are left out and counted, and files with such names are not")
    func partialFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let contents = [
            ".a.iso.0dbbc0b0.part": "x", ".a.iso.0dbbc0b0.part.meta": "sessioncore-part 1\n", "b.part": "x",
            ".c.part": "x", ".c.part.meta": "my own",
        ]
        for (name, text) in contents { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let job = Job(kind: .upload, url: "http://h/in/", body: .file(path: folder.path + "/"))
        let found = try TypedUploads.jobs([job])
        #expect(found.leftOut.partial == 2 && found.items.count == 3)
        #expect(found.items.allSatisfy { !$0.url.contains("a.iso") })
        let invocation = try CommandLine.parse(["upload", folder.path, "http://h/in/"]).get()
        #expect(invocation.jobs.count == 3 && invocation.warnings == [JobUsage.leftOut(2)])
    }

    @Test("A pipe and a link to nothing in a folder are skipped with their names, and the files are sent")
    func specialFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(mkfifo(folder.path + "/a.fifo", 0o600) == 0 && symlink("nothing", folder.path + "/b.link") == 0)
        #expect(throws: UsageError.self) { try UploadSources.entries(of: [folder.path]) }
        try Data("x".utf8).write(to: folder.appending(path: "c.bin"))
        let special = [folder.path + "/a.fifo", folder.path + "/b.link"]
        let job = Job(kind: .upload, url: "http://h/in/", body: .file(path: folder.path + "/"))
        let found = try TypedUploads.jobs([job])
        #expect(found.items.count == 1 && found.leftOut == UploadSources.LeftOut(special: special))
        let invocation = try CommandLine.parse(["upload", folder.path, "http://h/in/"]).get()
        #expect(invocation.jobs.count == 1 && invocation.warnings == [JobUsage.skipped(special)])
    }

    @Test("A file whose name is not UTF-8 is left out and told, and a name with a replacement character is one")
    func names() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let odd = Array((folder.path + "/caf").utf8).map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xE9), 0]
        let file = open(odd, O_WRONLY | O_CREAT, 0o600)
        #expect(file >= 0 && close(file) == 0)
        try Data("x".utf8).write(to: folder.appending(path: "ok\u{FFFD}"))
        let invocation = try CommandLine.parse(["upload", folder.path, "http://h/in/"]).get()
        let unnamed = [folder.path + "/caf\u{FFFD}"]
        #expect(invocation.jobs.count == 1 && invocation.leftOut == UploadSources.LeftOut(unnamed: unnamed))
        #expect(invocation.warnings == [JobUsage.unnamed(unnamed)])
    }

    @Test("Nothing is added without a match, with an open quote, or to a URL of one file")
    func refusals() {
        #expect(throws: TypedUploads.Refusal.self) { try uploads { $0 + "/*.gif" } }
        #expect(throws: TypedUploads.Refusal.self) { try uploads { "'" + $0 + "/a.jpg " } }
        #expect(throws: TypedUploads.Refusal.self) { try uploads({ $0 + "/*.jpg" }, to: "http://h/in") }
    }

    @Test("The form leaves the URL to the files where there may be several, and names a single one itself")
    func form() throws {
        var form = AddForm()
        form.kind = .upload
        form[.url] = TextField("http://h/in/")
        for (text, url) in [
            ("photos/*.jpg", "http://h/in/"), ("photos/", "http://h/in/"), ("a b", "http://h/in/"),
            ("photos/a.jpg", "http://h/in/a.jpg"),
        ] {
            form[.body] = TextField(text)
            #expect(try form.jobs().map(\.url) == [url])
        }
    }

    @Test("Downloads and requests are left alone")
    func others() throws {
        let request = Job(kind: .data, url: "http://h/", body: .file(path: "a b"))
        let jobs = [Job(kind: .download, url: "http://h/a b"), request]
        #expect(try TypedUploads.jobs(jobs).items == jobs)
    }
}
