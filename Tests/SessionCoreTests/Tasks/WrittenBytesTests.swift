import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// What the closures that count a download's bytes are told when it goes on with what is there.
@Suite("Written bytes", .timeLimit(.minutes(1)))
struct WrittenBytesTests {
    enum Input: Sendable {
        case answer
        /// A status: how much is there, and where the attempt began.
        case status(Int64, resumedAt: Int64)
        case resumed(Int64)
        case restarted
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var inputs: [Input]
        /// What each status and each resume counts.
        var counts: [Int64]
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "a download from zero",
            inputs: [.answer, .status(10, resumedAt: 0), .status(10, resumedAt: 0), .status(30, resumedAt: 0)],
            counts: [10, 0, 20]),
        Row(
            name: "a part of an earlier run, told before the answer",
            inputs: [.status(40, resumedAt: 40), .answer, .resumed(40), .status(60, resumedAt: 40)],
            counts: [0, 0, 20]),
        Row(
            name: "a part of an earlier run, whose status the answer overtakes",
            inputs: [.answer, .resumed(40), .status(60, resumedAt: 40)], counts: [0, 20]),
        Row(
            name: "a status from before the answer that comes after it",
            inputs: [.answer, .status(40, resumedAt: 40), .resumed(40), .status(41, resumedAt: 40)], counts: [0, 0, 1]),
        Row(
            name: "going on after an own attempt tells what was not told",
            inputs: [.answer, .status(10, resumedAt: 0), .answer, .resumed(25), .status(30, resumedAt: 25)],
            counts: [10, 15, 5]),
        Row(
            name: "a restart begins to count at zero",
            inputs: [
                .answer, .status(50, resumedAt: 0), .restarted, .answer, .status(60, resumedAt: 0), .answer,
                .resumed(70),
            ],
            counts: [50, 60, 10]),
        Row(
            name: "a part that the server does not go on with",
            inputs: [.status(40, resumedAt: 40), .restarted, .answer, .status(15, resumedAt: 0)], counts: [0, 15]),
        Row(name: "a whole part", inputs: [.status(40, resumedAt: 40)], counts: [0]),
    ]

    @Test("Only bytes that the task wrote itself are counted, and all of them", arguments: rows)
    func table(_ row: Row) {
        var written = WrittenBytes()
        var counts: [Int64] = []
        for input in row.inputs {
            switch input {
            case .answer: written.recordAnswer()
            case .status(let received, let resumedAt):
                counts.append(written.advance(received: received, resumedAt: resumedAt))
            case .resumed(let offset): counts.append(written.resume(at: offset))
            case .restarted: written.restart()
            }
        }
        #expect(counts == row.counts)
    }

    private enum Call: Sendable, Equatable {
        case resumed(at: Int64, of: Int64)
        case wrote(Int64, total: Int64, of: Int64)
    }

    @Test("A download that goes on says where first, and its counts add up from there", arguments: [false, true])
    func goingOn(_ isSameTask: Bool) async throws {
        let server = LoopbackServer()
        try server.start()
        let folder = try TemporaryFolder()
        let count: Int64 = 4_000_000
        let gate = try server.gate(named: "middle")
        let file = Behaviour.file(seed: 4, count: count)
        server.setRoute(
            "/file", .sequence([file.stalling(after: 2_000_000, until: gate), file.limited(to: 20_000_000)]))
        var configuration = SessionConfiguration()
        configuration.holdTimeout = 0.01
        let manager = SessionManager(configuration: configuration)
        defer { manager.invalidate(cancellingTasks: true) }
        let calls = EventLog<Call>()
        manager.onResumeAtOffset = { _, place in
            calls.add(.resumed(at: place.offset, of: place.expectedTotal ?? -1))
        }
        manager.onWriteData = { _, counts in
            calls.add(.wrote(counts.sinceLast, total: counts.total, of: counts.expected ?? -1))
        }
        let target = DownloadTarget(folder: folder.path, name: .fixed("file"))
        let request = TransferRequest(url: server.url("/file"))
        let first = try manager.downloadTask(
            with: request, options: TaskOptions(target: target), completionHandler: nil)
        first.resume()
        _ = await calls.wait { $0.contains { if case .wrote(_, let total, _) = $0 { total > 500_000 } else { false } } }
        let ownCalls: Int
        if isSameTask {
            first.suspend()
            #expect(server.waitForFinishedRequests(count: 1))
            first.resume()
            ownCalls = 0
            #expect(await first.completion().error == nil)
        } else {
            first.cancel()
            _ = await first.completion()
            ownCalls = calls.entries.count
            let second = try manager.downloadTask(
                with: request, options: TaskOptions(target: target), completionHandler: nil)
            second.resume()
            #expect(await second.completion().error == nil)
        }
        gate.release()
        var told: Int64?
        for (index, call) in calls.entries.enumerated() {
            switch call {
            case .resumed(let offset, let complete):
                #expect(complete == count)
                #expect(index >= ownCalls && offset > 500_000)
                // What the same task has told reaches to the offset; a new one begins there.
                #expect(isSameTask ? told == offset : index == ownCalls)
                told = offset
            case .wrote(let bytes, let total, let complete):
                #expect(complete == count && total == (told ?? 0) + bytes)
                told = total
            }
        }
        #expect(told == count)
        #expect(calls.entries.filter { if case .resumed = $0 { true } else { false } }.count == 1)
    }
}
