import Dashboard
import Foundation
import Testing

@testable import TransferService
@testable import netdash

/// The log's file: how large it may become.
@Suite("The log file", .timeLimit(.minutes(1)))
final class LogFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "netdash-log-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    private func lines(_ name: String) -> Int {
        ((try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "").split(separator: "\n").count
    }
    private func size(_ name: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int)
    }

    @Test("A sentence that is no problem is information, and needs its level", arguments: [true, false])
    func levels(isProblem: Bool) throws {
        for level in [Settings.LogLevel.error, .info] {
            var log = try LogFile(path: path("log-\(level.rawValue)"), level: level)
            log.append("sentence", level: isProblem ? .error : .info, at: 0)
            let logEnd = log.close()
            #expect(logEnd == nil)
        }
        #expect(lines("log-error") == (isProblem ? 1 : 0))
        let text = try String(contentsOfFile: path("log-info"), encoding: .utf8)
        #expect(text.hasPrefix(isProblem ? "error " : "info "))
    }

    @Test("A log that grows without end takes twice its limit, and its latest lines are there")
    func bounded() throws {
        var log = try LogFile(path: path("log"), level: .info, sizeLimit: 10_000)
        for number in 0..<5_000 { log.append(SafeText(untrusted: "failure \(number)"), at: Int64(number)) }
        let logEnd = log.close()
        #expect(logEnd == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["log", "log.1"])
        #expect(try size("log") <= 10_000)
        #expect(try (5_000...10_000).contains(size("log.1")))
        let latest = try String(contentsOfFile: path("log"), encoding: .utf8)
        #expect(latest.hasSuffix("failure 4999\n"))
        let earlier = try String(contentsOfFile: path("log.1"), encoding: .utf8)
        let last = try #require(earlier.split(separator: " ").last?.dropLast()).description
        let first = try #require(latest.split(separator: "\n").first?.split(separator: " ").last)
        #expect(Int(last).map { $0 + 1 } == Int(first), "no line is lost between the two")
        var status = stat()
        for name in ["log", "log.1"] { #expect(stat(path(name), &status) == 0 && status.st_mode & 0o777 == 0o600) }
    }

    @Test("What was there before counts, and a longer line than the limit is written all the same")
    func earlierRun() throws {
        try Data(repeating: 0x61, count: 9_990).write(to: folder.appendingPathComponent("log"))
        var log = try LogFile(path: path("log"), level: .info, sizeLimit: 10_000)
        log.append(SafeText(untrusted: String(repeating: "b", count: 20_000)), at: 0)
        let logEnd = log.close()
        #expect(logEnd == nil)
        #expect(try size("log.1") == 9_990)
        #expect(lines("log") == 1)
    }

    @Test("Two runs with one log put it aside once, and both go on in the new one")
    func twoRuns() throws {
        var first = try LogFile(path: path("log"), level: .info, sizeLimit: 1_000)
        var second = try LogFile(path: path("log"), level: .info, sizeLimit: 1_000)
        for number in 0..<20 { first.append(SafeText(untrusted: "first \(number)"), at: 0) }
        for number in 0..<40 { second.append(SafeText(untrusted: "second \(number)"), at: 0) }
        _ = (first.close(), second.close())
        let text = try String(contentsOfFile: path("log"), encoding: .utf8)
        #expect(text.contains("second 39"))
        #expect(lines("log") + lines("log.1") >= 40)
    }

    @Test("A link stays one, and what is no file is never put aside")
    func links() throws {
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "log")
        var log = try LogFile(path: path("link"), level: .info, sizeLimit: 500)
        for number in 0..<50 { log.append(SafeText(untrusted: "line \(number)"), at: 0) }
        let logEnd = log.close()
        #expect(logEnd == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "log", "log.1"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "log")
        var none = try LogFile(path: "/dev/null", level: .info, sizeLimit: 500)
        for number in 0..<50 { none.append(SafeText(untrusted: "line \(number)"), at: 0) }
        let noneEnd = none.close()
        #expect(noneEnd == nil)
        #expect(FileManager.default.fileExists(atPath: "/dev/null.1") == false)
    }
}
