import CLinux
import Glibc
import SessionSupport
import Testing

@testable import SessionCore

/// Files that stand where a download is to go, and give their names to it.
@Suite("Replacing a file", .timeLimit(.minutes(1)))
struct ReplacementTests {
    private let temporary: StorageTemporaryFolder
    private var folder: Folder { temporary.folder }

    init() throws {
        temporary = try StorageTemporaryFolder()
        try temporary.write("the old bytes", to: "f")
    }

    private func part(_ text: String = "new") throws -> PartFile {
        let part = try PartFile.create(in: folder, url: "http://h/f", name: .fixed("f"), finalName: "f", metadata: nil)
        try part.write(text, at: 0)
        return part
    }

    @Test(
        "A file that cannot be replaced is written in place, and the part is gone",
        arguments: [EBUSY, EXDEV, EACCES, EPERM, EROFS])
    func inPlace(number: Int32) throws {
        let inode = folder.status("f")?.identity
        let replacement = try Replacement("f", in: folder) { _, _, _ in
            errno = number
            return -1
        }
        let manner = try replacement.perform(with: try part(), stamp: nil)
        #expect(manner == .writtenInPlace(String(cString: strerror(number))))
        #expect(try temporary.read("f") == "new")
        #expect(folder.status("f")?.identity == inode)
        #expect(try temporary.names() == ["f"])
    }

    @Test("An error that says nothing about the file leaves both as they were")
    func refused() throws {
        let part = try part()
        let replacement = try Replacement("f", in: folder) { _, _, _ in
            errno = EIO
            return -1
        }
        #expect(throws: SessionError.self) { try replacement.perform(with: part, stamp: nil) }
        #expect(try temporary.read("f") == "the old bytes")
        #expect(try temporary.read(part.name) == "new")
    }

    @Test("A folder that takes no new file has the one that is there written, and names it")
    func elsewhere() throws {
        let home = try StorageTemporaryFolder()
        try home.write("old", to: "f")
        let file = try Finisher.finish(
            try part(), finalName: "f", collision: .overwrite, expectedLength: 3, checksum: nil, home: home.folder)
        #expect(file.path == home.path + "/f")
        #expect(file.note?.contains("overwritten in place") == true)
        #expect(try home.read("f") == "new")
        #expect(try temporary.names() == ["f"])
        #expect(try temporary.read("f") == "the old bytes")
    }

    @Test("Another owner's file keeps its owner", .enabled(if: geteuid() == 0))
    func owner() throws {
        #expect(chown(folder.path(of: "f"), 65_534, 65_534) == 0 && chmod(folder.path(of: "f"), 0o640) == 0)
        #expect(try Replacement("f", in: folder).perform(with: try part(), stamp: nil) == .replaced)
        let status = try #require(folder.status("f"))
        #expect(status.owner == 65_534 && status.group == 65_534 && status.mode == 0o640)
        #expect(try temporary.read("f") == "new")
    }

    @Test("A chain of links is followed to its end, also into another folder and to a file that is not there yet")
    func links() throws {
        #expect(mkdir(folder.path(of: "inner"), 0o755) == 0)
        #expect(symlink("second", folder.path(of: "first")) == 0)
        #expect(symlink("inner/real", folder.path(of: "second")) == 0)
        for text in ["one", "two"] {
            let replacement = try Replacement("first", in: folder)
            #expect(replacement.path == folder.path(of: "inner/real"))
            #expect(try replacement.perform(with: try part(text), stamp: nil) == .replaced)
            #expect(try Folder(path: folder.path(of: "inner")).status("real")?.kind == .regular)
        }
        #expect(folder.status("first")?.kind == .symbolicLink && folder.status("second")?.kind == .symbolicLink)
        #expect(try StorageTemporaryFolder().names().isEmpty)
    }

    @Test("A link of another user is replaced itself", .enabled(if: geteuid() == 0))
    func foreignLink() throws {
        #expect(symlink("f", folder.path(of: "link")) == 0)
        #expect(lchown(folder.path(of: "link"), 65_534, 65_534) == 0)
        #expect(try Replacement("link", in: folder).perform(with: try part(), stamp: nil) == .replaced)
        #expect(folder.status("link")?.kind == .regular)
        #expect(try temporary.read("f") == "the old bytes")
    }

    @Test("A link to one of this process's own open files leads to that")
    func ownDescriptor() throws {
        let file = folder.open("f", flags: O_RDONLY)
        defer { close(file) }
        #expect(symlink("/proc/self/fd/\(file)", folder.path(of: "link")) == 0)
        #expect(LinkTarget.follow(folder.path(of: "link")) == .descriptor(file))
        #expect(LinkTarget.follow("/dev/fd/\(file)") == .descriptor(file))
        #expect(LinkTarget.follow(folder.path(of: "f")) == .name("f", folder: folder.path))
        #expect(symlink("circle", folder.path(of: "circle")) == 0)
        #expect(LinkTarget.follow(folder.path(of: "circle")) == .name("circle", folder: folder.path))
    }
}

@Suite("Names of one run")
struct RunNamesTests {
    private let id = TransferID(rawValue: 1)

    @Test("The first URL has the name, each other one the number of its place, at every call")
    func places() {
        let names = RunNames()
        for _ in 0..<2 {
            #expect(names.claim("data", in: "/x", url: "http://h/a/data", for: id) == "data")
            #expect(names.claim("data", in: "/x/./", url: "http://h/b/data", for: id) == "data (1)")
            let signed = "http://h/b/data?X-Amz-Signature=\(UInt64.random(in: 0...(.max)))&X-Amz-Date=1"
            #expect(names.claim("signed", in: "/x", url: signed, for: id) == "signed", "the same task's link")
            #expect(names.claim("data", in: "//x", url: "http://h/c/data", for: id) == "data (2)")
            #expect(names.claim("data", in: "/y", url: "http://h/b/data", for: id) == "data")
            #expect(names.claim("a.tar.gz", in: "/x", url: "http://h/1", for: id) == "a.tar.gz")
            #expect(names.claim("a.tar.gz", in: "/x", url: "http://h/2", for: id) == "a (1).tar.gz")
        }
    }

    @Test("Two links are two files, and a link that is signed anew is the file of its task")
    func links() {
        let names = RunNames()
        func name(_ wanted: String, _ token: String, _ number: UInt64) -> String {
            names.claim(wanted, in: "/x", url: "http://h/get?token=\(token)", for: TransferID(rawValue: number))
        }
        #expect(name("get", "a", 1) == "get" && name("get", "b", 2) == "get (1)")
        #expect(name("named", "a", 1) == "named")
        for _ in 0..<2 { #expect(name("get", "c", 1) == "get" && name("get", "d", 2) == "get (1)") }
        #expect(name("named", "c", 1) == "named", "a name of the response")
        #expect(name("get", "a", 3) == "get (2)", "the former link may be another file")
        #expect(name("get", "b", 2) == "get (1)" && name("get", "c", 1) == "get")
        let other = names.claim("get", in: "/x", url: "http://h/other?token=a", for: TransferID(rawValue: 1))
        #expect(other == "get (3)", "the link of another file")
    }

    @Test("Only a file of this run has its name taken")
    func taken() {
        let names = RunNames()
        #expect(names.claim("data", in: "/x", url: "http://h/a", for: id) == "data")
        #expect(!names.isTaken("data", in: "/x"))
        names.take("data", in: "/x/./")
        #expect(names.isTaken("data", in: "/x") && !names.isTaken("data", in: "/y"))
    }

    @Test("A number that another download has as its name is passed over")
    func takenNumber() {
        let names = RunNames()
        #expect(names.claim("data (1)", in: "/x", url: "http://h/z", for: id) == "data (1)")
        #expect(names.claim("data", in: "/x", url: "http://h/a", for: id) == "data")
        #expect(names.claim("data", in: "/x", url: "http://h/b", for: id) == "data (2)")
        #expect(names.claim("data", in: "/x", url: "http://h/b", for: id) == "data (2)")
    }
}
