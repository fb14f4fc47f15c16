import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("The facts of hook commands")
struct HookFieldsTests {
    private func row(_ kind: Job.Kind) -> RowSnapshot {
        var row = RowSnapshot(id: 3, kind: kind, name: "a.iso", url: "http://h/a.iso")
        row.method = "GET"
        row.statusCode = 200
        row.received = 7
        row.path = "/up/a.iso"
        return row
    }

    private func event(_ what: TransferEvent.What) -> TransferEvent {
        TransferEvent(
            time: Timestamp(milliseconds: 1_700_000_000_123), id: 3, url: "http://me:word@h/a.iso?token=x", what: what)
    }

    private func object(_ fields: HookFields) throws -> [String: String] {
        let object = try JSONSerialization.jsonObject(with: Data(fields.json)) as? [String: Any]
        return try #require(object).mapValues { "\($0)" }
    }

    @Test("A completed task: path, bytes, time and digest, and no secret of its URL")
    func completed() throws {
        let completion = TransferEvent.Completion(path: "/d/a b.iso", bytes: 12, sha256: "ab", seconds: 1.2344)
        let fields = HookFields(
            event(.completed(completion)), moment: .complete, row: row(.download), source: nil, folder: "/here")
        let wanted = [
            "EVENT": "complete", "TIME": "2023-11-14T22:13:20.123Z", "ID": "3", "KIND": "download", "METHOD": "GET",
            "NAME": "a.iso", "URL": "http://***@h/a.iso?token=***", "HTTP_STATUS": "200", "PATH": "/d/a b.iso",
            "BYTES": "12", "SECONDS": "1.234", "SHA256": "ab", "SKIPPED": "0",
        ]
        #expect(fields.environment == Dictionary(uniqueKeysWithValues: wanted.map { ("NETDASH_" + $0, $1) }))
        let object = try object(fields)
        #expect(object["httpStatus"] == "200" && object["path"] == "/d/a b.iso" && object["event"] == "complete")
        #expect(object.count == wanted.count)
    }

    @Test("A failed task: cause, kind of error and the part that was kept; an upload names its file")
    func failed() throws {
        let failure = TransferFailure(
            kind: "timedOut", category: .ordinary, message: "No answer\0 in time", partPath: "/d/.a.part")
        let fields = HookFields(
            event(.failed(failure)), moment: .error, row: row(.upload), source: "/up/a.iso", folder: "/here")
        #expect(fields.environment["NETDASH_ERROR"] == "No answer")
        #expect(fields.environment["NETDASH_ERROR_KIND"] == "timedOut")
        #expect(fields.environment["NETDASH_PART"] == "/d/.a.part")
        #expect(fields.environment["NETDASH_PATH"] == "/up/a.iso")
        #expect(try object(fields)["error"] == "No answer\0 in time")
    }

    @Test("A task that has left the list is told by what its event knows")
    func withoutRow() {
        let completion = TransferEvent.Completion(path: nil, bytes: 1, sha256: nil, seconds: 0)
        let fields = HookFields(
            event(.completed(completion)), moment: .complete, row: nil, source: nil, folder: "/here")
        #expect(fields.environment["NETDASH_URL"] == "http://***@h/a.iso?token=***")
        #expect(fields.environment["NETDASH_PATH"] == nil && fields.environment["NETDASH_NAME"] == nil)
    }

    @Test(
        "A path is whole, and as the disk has it",
        arguments: [
            ("a", "/here", "/here/a"), ("./-rf", "/here", "/here/-rf"), ("-rf", "/", "/-rf"), ("/d/a", "/here", "/d/a"),
            ("../a\u{1B}[31m\n", "/here", "/here/../a\u{1B}[31m\n"),
        ])
    func wholePaths(path: String, folder: String, absolute: String) {
        let completion = TransferEvent.Completion(path: path, bytes: 1, sha256: nil, seconds: 0)
        let download = HookFields(
            event(.completed(completion)), moment: .complete, row: row(.download), source: nil, folder: folder)
        #expect(download.environment["NETDASH_PATH"] == absolute)
        let failure = TransferFailure(kind: "timedOut", category: .ordinary, message: "No", partPath: path)
        let upload = HookFields(
            event(.failed(failure)), moment: .error, row: row(.upload), source: path, folder: folder)
        #expect(upload.environment["NETDASH_PATH"] == absolute && upload.environment["NETDASH_PART"] == absolute)
    }

    @Test("The end of all: how many ended how")
    func all() {
        let summary = RunSummary(
            results: [.completed, .cancelled, .completed, .unfinished], moved: MovedBytes(received: 9), seconds: 2)
        let environment = HookFields(summary, at: Timestamp(milliseconds: 0)).environment
        #expect(environment["NETDASH_EVENT"] == "all-done")
        #expect(environment["NETDASH_COMPLETED"] == "2" && environment["NETDASH_FAILED"] == "0")
        #expect(environment["NETDASH_CANCELLED"] == "1" && environment["NETDASH_PAUSED"] == "1")
    }
}
