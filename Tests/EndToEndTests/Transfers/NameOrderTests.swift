import Foundation
import LoopbackServer
import Testing

/// Lines of a list that want one name.
@Suite("Names in the order of a list", .timeLimit(.minutes(1)))
struct NameOrderTests {
    @Test("The first line gets the plain name although the second one ends first", arguments: [100, 200_000])
    func order(length: Int64) async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        let gate = try server.gate(named: "first")
        let contents = [UInt64(1), 2].map { DeterministicContent(seed: $0, count: length).bytes }
        server.setRoute("/first", .file(seed: 1, count: length).stalling(after: 0, until: gate))
        server.setRoute("/second", .file(seed: 2, count: length))
        let list = try folder.write(
            "\(server.url("/first"))\n  out=f.bin\n\(server.url("/second"))\n  out=f.bin\n", to: "list.txt")
        let run = try ProgramRun(["--plain", "-i", list], in: folder)
        _ = try await waitUntil("the second file", otherwise: { run.messages }) {
            folder.bytes(of: "f (1).bin") == nil ? nil : true
        }
        gate.release()
        #expect(try await run.waitForEnd().status == 0)
        #expect(folder.bytes(of: "f.bin") == contents[0])
        #expect(folder.bytes(of: "f (1).bin") == contents[1])
    }

    @Test("A second line gets the plain name once the first one has failed")
    func failure() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        server.setRoute("/second", .file(seed: 2, count: 100))
        let list = try folder.write(
            "\(server.url("/missing"))\n  out=f.bin\n\(server.url("/second"))\n  out=f.bin\n", to: "list.txt")
        let run = try await ProgramRun.finished(["--plain", "-j", "1", "-i", list], in: folder)
        #expect(run.status == 1 && folder.bytes(of: "f.bin")?.count == 100, "\(run)")
    }

    @Test("Where a name must be free, the second line that wants it fails before its first byte")
    func clash() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        let gate = try server.gate(named: "first")
        server.setRoute("/first", .file(seed: 1, count: 200_000).stalling(after: 0, until: gate))
        server.setRoute("/second", .file(seed: 2, count: 200_000))
        let list = "\(server.url("/first"))\n  out=f.bin\n\(server.url("/second"))\n  out=f.bin\n"
        try folder.write(list.utf8, to: "list.txt")
        let run = try ProgramRun(["--plain", "--if-exists", "fail", "-i", "list.txt"], in: folder)
        _ = try await waitUntil("the clash", otherwise: { run.messages }) {
            run.messages.contains("An earlier download of this run gets the name f.bin") ? true : nil
        }
        gate.release()
        #expect(try await run.waitForEnd().status == 1)
        #expect(folder.bytes(of: "f.bin") == DeterministicContent(seed: 1, count: 200_000).bytes)
        #expect(server.requests(for: "/second").isEmpty)
    }
}
