import Foundation
import Testing

@testable import netdash

@Suite("The settings that a service leaves for the next one")
struct StartRecordTests {
    private static func record(_ words: String...) throws -> StartRecord {
        let invocation = try CommandLine.parse(["serve"] + words).get()
        return StartRecord(invocation.settings, environment: [:])
    }

    @Test("Arguments are kept with absolute paths, the folder of downloads too, and say nothing of the session")
    func arguments() throws {
        let here = FileManager.default.currentDirectoryPath
        let record = try Self.record(
            "--watch", "drop", "--log=/var/l", "--limit-rate", "2M", "--keep-secrets", "--session", "night", "--quiet",
            "--idle-exit", "30")
        #expect(
            record.arguments == [
                "--watch=\(here)/drop", "--log=/var/l", "--limit-rate=2M", "--keep-secrets", "--dir=\(here)",
                "--idle-exit=30.0",
            ])
        #expect(record.omitted.isEmpty && !record.isManaged)
        #expect(try Self.record("-d", "files").arguments == ["--dir=\(here)/files"])
        let managed = StartRecord(Settings(), environment: ["NOTIFY_SOCKET": "/run/x"])
        #expect(managed.isManaged)
        // What was kept is a command line.
        _ = try CommandLine.parse(["serve", "--session=night", "--quiet"] + record.arguments).get()
    }

    @Test(
        "A command with a secret is left out and named",
        arguments: [
            ("notify-send done", false), ("curl -sf https://h/hook?id=7", false), ("mv \"$NETDASH_PATH\" /mnt", false),
            ("curl https://me:pw@h/hook", true), ("curl -u me:pw https://h/", true),
            ("curl -H 'Authorization: Bearer x' https://h/", true), ("API_TOKEN=x notify", true),
            ("curl 'https://h/hook?token=abc'", true),
        ])
    func secrets(command: String, isSecret: Bool) throws {
        #expect(StartRecord.mayHaveSecret(command) == isSecret)
        let record = try Self.record("--on-complete", command)
        #expect(record.omitted == (isSecret ? ["--on-complete"] : []))
        #expect(record.arguments.contains("--on-complete=" + command) == !isSecret)
    }

    @Test("aria2's interface is kept with the place of its token, and left out with a token of the command line")
    func interface() throws {
        let here = FileManager.default.currentDirectoryPath
        let record = try Self.record("--rpc=unix:s", "--rpc-secret", "@file:token", "-d", "/d")
        #expect(record.arguments == ["--rpc=unix:\(here)/s", "--rpc-secret=@file:\(here)/token", "--dir=/d"])
        let open = try Self.record("--rpc", "--rpc-secret=abc", "--rpc-allow-origin=*", "-d", "/d")
        #expect(open.arguments == ["--dir=/d"] && open.omitted == ["--rpc"])
        #expect(try Self.record("--rpc", "-d", "/d").arguments.contains { $0.hasPrefix("--rpc") })
    }

    @Test("The file is its user's alone, is read as it was written, and a damaged one counts as none")
    func file() throws {
        let path = NSTemporaryDirectory() + "start-\(UUID().uuidString)"
        defer { StartRecord.remove(path) }
        let record = StartRecord(arguments: ["--watch=/d"], omitted: ["--on-error"], isManaged: true)
        #expect(record.write(to: path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(StartRecord.read(path) == record)
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(StartRecord.read(path) == nil)
        StartRecord.remove(path)
        #expect(StartRecord.read(path) == nil)
    }
}
