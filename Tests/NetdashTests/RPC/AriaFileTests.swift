import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// What a command line of aria2c takes from files, and from patterns in URLs.
@Suite("Files and patterns of aria2c")
struct AriaFileTests {
    private static func parse(_ arguments: [String], file: String = "") throws -> Invocation {
        try CommandLine.parse(
            ["aria2c"] + arguments, ariaFile: { (_) throws(UsageError) in file }, home: "/home/me"
        ).get()
    }

    @Test("A pattern stands for several sources of one file, unless each is to be a file of its own")
    func patterns() throws {
        let pattern = "http://{a,b}/f[1-2].iso"
        let one = try Self.parse(["-P", pattern]).jobs
        #expect(one.map(\.url) == ["http://a/f1.iso"])
        let mirrors = one[0].options.filter { $0.option == .mirror }.map(\.text)
        #expect(mirrors == ["http://a/f2.iso", "http://b/f1.iso", "http://b/f2.iso"])
        #expect(try Self.parse(["-P", "-Z", pattern]).jobs.count == 4)
        #expect(try Self.parse(["-P", "http://a/f", "http://b/f"]).jobs.count == 1)
    }

    @Test("The home is put into the paths of a file and of the command line, and into nothing else")
    func home() throws {
        let file = "dir=${HOME}/cc\nuser-agent=${HOME}\n"
        let read = try Self.parse(["http://h/f"], file: file)
        #expect(read.settings.directory == "/home/me/cc" && read.jobs[0].options.text(of: .userAgent) == "${HOME}")
        #expect(try Self.parse(["-d", "${HOME}/x", "http://h/f"]).settings.directory == "/home/me/x")
        let authority = try Self.parse(["--ca-certificate=${HOME}/c", "http://h/f"]).settings.options
        #expect(authority.map(\.text) == ["/home/me/c"])
    }

    @Test("A log named - is standard output")
    func log() throws {
        #expect(try Self.parse(["--log=-", "http://h/f"]).settings.logPath == "/dev/stdout")
    }

    @Test("Without a name the file is read that aria2c reads, unless none is to be")
    func usualFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("aria-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ text: String, _ place: String) throws {
            try FileManager.default.createDirectory(atPath: folder + "/" + place, withIntermediateDirectories: true)
            let path = "\(folder)/\(place)/aria2.conf"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        let environment = ["HOME": folder]
        func agent(_ arguments: [String], _ environment: [String: String]) throws -> String? {
            try CommandLine.parse(
                ["aria2c"] + arguments + ["http://h/f"],
                ariaFile: { (path) throws(UsageError) in
                    try AriaFile.text(of: path, environment: environment)
                }
            ).get().jobs[0].options.text(of: .userAgent)
        }
        #expect(try agent([], environment) == nil)
        try write("user-agent=config\n", ".config/aria2")
        try write("user-agent=named\n", "xdg/aria2")
        #expect(try agent([], environment) == "config" && agent(["--no-conf"], environment) == nil)
        #expect(try agent([], ["HOME": folder, "XDG_CONFIG_HOME": folder + "/xdg"]) == "named")
        try write("user-agent=old\n", ".aria2")
        #expect(try agent([], environment) == "old" && agent(["-U", "cli"], environment) == "cli")
    }
}
