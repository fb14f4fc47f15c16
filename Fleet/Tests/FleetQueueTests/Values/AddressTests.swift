import Foundation
import Testing

@testable import FleetQueue

@Suite("Addresses, texts and times")
struct AddressTests {
    @Test(
        "An address with a password is refused, and the error does not repeat it",
        arguments: [
            "postgres://u:hunter2@h/d", "postgresql://u@h/d?password=hunter2", "host=h password=hunter2",
            "postgres://u@h/d?sslpassword=hunter2",
        ])
    func passwords(text: String) {
        #expect(throws: FleetError(.usage, QueueErrors.passwordInAddress)) { try QueueAddress(text) }
    }

    @Test(
        "A malformed address is refused without its text",
        arguments: ["postgres://u:hunter2%zz@h/d", "hunter2", "a='"])
    func malformed(text: String) {
        #expect(throws: FleetError(.usage, QueueErrors.malformedAddress)) { try QueueAddress(text) }
    }

    @Test(
        "Addresses without a password are taken",
        arguments: [nil, "postgres://u@h:1/d?sslmode=verify-full", "host=h"])
    func taken(text: String?) throws {
        #expect(try QueueAddress(text).text == text ?? "")
    }

    @Test("Array literals quote texts and keep missing values")
    func arrays() {
        #expect(PostgresText.array([1, 2] as [Int64]) == "{1,2}")
        #expect(PostgresText.array([1, nil] as [Int64?]) == "{1,NULL}")
        #expect(PostgresText.array([#"a"\,"#, nil, ""]) == #"{"a\"\\,",NULL,""}"#)
    }

    @Test("Text of a server is one line without control characters")
    func printable() {
        #expect(PostgresText.printable("a\u{1B}[31m\u{202E}b\nc") == "a?[31m?b")
        #expect(PostgresText.printable(String(repeating: "x", count: 400)).count == 300)
    }

    @Test("A worker asks once a second until it hears its own notice")
    func timetable() {
        var times = Timetable(lease: 60)
        times.connected(at: 100)
        check(times.isBeatDue(at: 100), is: true)
        check(times.isBeatDue(at: 119), is: false)
        check(times.isLookDue(at: 100.5), is: false)
        check(times.isLookDue(at: 101), is: true)
        check(times.isLookDue(at: 101.5), is: false)
        check(times.missesProbe(at: 101.5), is: false)
        check(times.missesProbe(at: 102), is: true)
        check(times.missesProbe(at: 103), is: false)
        times.connected(at: 110)
        times.heardProbe()
        check(times.missesProbe(at: 200), is: false)
        check(times.isLookDue(at: 200), is: false)
        check(times.isBeatDue(at: 110), is: true)
        #expect(times.wait(from: 111, wantsJobs: false) == 19)
    }

    @Test("Empty claims wait longer, up to a second, and new jobs end the wait")
    func idle() {
        var times = Timetable(lease: 60)
        times.claimed(5, of: 5, at: 10)
        #expect(times.isClaimDue(at: 10))
        // Another worker may have locked the host for the moment of its own claim.
        times.claimed(0, of: 5, at: 10)
        #expect(!times.isClaimDue(at: 10) && times.isClaimDue(at: 10.01))
        for _ in 0..<9 { times.claimed(0, of: 5, at: 10) }
        #expect(!times.isClaimDue(at: 10.9) && times.isClaimDue(at: 11))
        times.expectJobs()
        #expect(times.isClaimDue(at: 10))
        for _ in 0..<9 { times.claimed(0, of: 5, at: 10, drains: true) }
        #expect(!times.isClaimDue(at: 10.19) && times.isClaimDue(at: 10.2))
    }

    @Test("Finished jobs wait 10 ms for each other")
    func gathering() {
        var times = Timetable(lease: 60)
        times.connected(at: 10)
        check(times.isBeatDue(at: 10), is: true)
        times.heardProbe()
        #expect(!times.areCompletionsDue(at: 10))
        times.completed(at: 11)
        times.completed(at: 11.009)
        #expect(times.isClaimDue(at: 11))
        #expect(!times.areCompletionsDue(at: 11.009) && times.areCompletionsDue(at: 11.0101))
        #expect(abs(times.wait(from: 11.009, wantsJobs: false) - 0.001) < 1e-6)
        times.sendsCompletions()
        #expect(!times.areCompletionsDue(at: 12))
    }

    @Test("No source reads a clock that users or time servers set")
    func clocks() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var count = 0
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            count += 1
            let text = try String(contentsOf: file, encoding: .utf8)
            for name in ["Date(", "CLOCK_REALTIME", "gettimeofday", "time(nil)"] {
                #expect(!text.contains(name), "\(file.lastPathComponent) uses \(name)")
            }
        }
        #expect(count > 20)
    }
}
