import Foundation
import Glibc
import Testing

@testable import TransferService
@testable import TransferValues
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

    @Test("An option for all requests is kept with absolute paths, and left out with a secret")
    func requests() throws {
        let here = FileManager.default.currentDirectoryPath
        let record = try Self.record(
            "--proxy", "http://p:1", "--proxy-user", "me:@file:pw", "--cacert", "ca.pem", "-6", "-d", "/d")
        #expect(
            record.arguments == [
                "--dir=/d", "--proxy=http://p:1", "--proxy-user=me:@file:\(here)/pw", "--cacert=\(here)/ca.pem",
                "--ipv6",
            ])
        let open = try Self.record("--proxy", "http://me:pw@p:1", "--pass", "pw", "-A", "x", "-d", "/d")
        #expect(open.arguments == ["--dir=/d", "--user-agent=x"] && open.omitted == ["--proxy", "--pass"])
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

    @Test("Limits that are changed while the service runs are kept as a command line, until the file is removed")
    func limits() throws {
        let path = NSTemporaryDirectory() + "start-\(UUID().uuidString)"
        defer { StartRecord.remove(path) }
        let keeper = StartRecordKeeper(try Self.record("--limit-rate=2M", "-d", "/d"), at: path)
        #expect(StartRecord.read(path)?.arguments == ["--limit-rate=2M", "--dir=/d"])
        var plan = RatePlan()
        plan.download = try RateSchedule("08:00,512k 18:00,off")
        keeper.receive(.configured(TransferLimits(all: 9, perHost: 3), plan))
        while StartRecord.read(path)?.arguments.contains("--max-per-host=3") != true { sched_yield() }
        let arguments = try #require(StartRecord.read(path)?.arguments)
        #expect(arguments.count { $0.hasPrefix("--limit-rate=") } == 1)
        let settings = try CommandLine.parse(["serve"] + arguments).get().settings
        #expect(settings.rates == plan && settings.maximumConcurrent == 9 && settings.maximumPerHost == 3)
        #expect(settings.directory == "/d")
        keeper.remove()
        keeper.receive(.configured(TransferLimits(), plan))
        keeper.remove()
        #expect(StartRecord.read(path) == nil)
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
