import CLinux
import Foundation
import Glibc
import Testing

@testable import SessionCore

@Suite("Crashes of the task store", .timeLimit(.minutes(1)))
struct TaskStoreCrashTests {
    /// What a killed program had acknowledged, by number.
    private struct Acknowledged {
        var added: Set<Int> = []
        var cancelled: Set<Int> = []
        var removed: Set<Int> = []
    }

    @Test("I3: what was acknowledged before a kill -9 is there exactly once, whenever it comes")
    func acknowledgedChangesSurvive() throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: 20)
        var acknowledged = Acknowledged()
        for round in 0..<8 {
            let lines = Int.random(in: 1...40, using: &random)
            try run(first: 1 + round * 20_000, killingAfter: lines, fixture, &acknowledged)
            try check(acknowledged, fixture)
        }
        #expect(acknowledged.added.count > 20)
    }

    private func check(_ acknowledged: Acknowledged, _ fixture: StoreFixture) throws {
        let (store, opening) = try fixture.open()
        defer { store.close() }
        #expect(opening.notice == nil)
        var found: [Int: StoredTransfer] = [:]
        for transfer in try store.all() {
            let number = try #require(transfer.request.url.split(separator: "/").last.flatMap { Int($0) })
            #expect(found.updateValue(transfer, forKey: number) == nil, "\(number) is there twice")
        }
        for number in acknowledged.added {
            // A removal may have been committed without having been acknowledged.
            #expect(found[number] != nil || number % 3 == 2, "\(number) is lost")
        }
        for number in acknowledged.cancelled { #expect(found[number]?.standing == .cancelled) }
        for number in acknowledged.removed { #expect(found[number] == nil, "\(number) is back") }
    }

    /// Runs the program, reads some lines, kills it at once, and reads what it had said until then.
    private func run(
        first: Int, killingAfter lines: Int, _ fixture: StoreFixture, _ acknowledged: inout Acknowledged
    ) throws {
        var ends: [Int32] = [-1, -1]
        let result = pipe(&ends)
        try #require(result == 0)
        for end in ends { #expect(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        defer { close(ends[0]) }
        let program = try Self.programPath()
        let words = [program, fixture.path, String(first)]
        var arguments = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for pointer in arguments { free(pointer) } }
        let process = cl_spawn(nil, program, &arguments, &environment, -1, ends[1], -1)
        close(ends[1])
        try #require(process > 0)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var isKilled = false
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer.prefix(count)
            if !isKilled, text.count(where: { $0 == 0x0A }) >= lines {
                isKilled = true
                #expect(kill(process, SIGKILL) == 0)
            }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        #expect(isKilled && status & 0x7F == SIGKILL, "It ended by itself with \(status)")
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else { continue }
            switch words[0] {
            case "added": acknowledged.added.insert(number)
            case "cancelled": acknowledged.cancelled.insert(number)
            case "removed": acknowledged.removed.insert(number)
            default: Issue.record("It said \(line)")
            }
        }
    }

    /// The program lies beside the tests.
    private static func programPath() throws -> String {
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let places = [runner] + CommandLine.arguments.filter { $0.contains(".xctest") }
        let candidates = places.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("StoreCrasher").path
        }
        return try #require(candidates.first { access($0, X_OK) == 0 }, "StoreCrasher was not found")
    }
}
