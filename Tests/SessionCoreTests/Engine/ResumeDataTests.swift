import Foundation
import Glibc
import LoopbackServer
import Testing

@testable import SessionCore

@Suite("Resume data", .timeLimit(.minutes(1)))
struct ResumeDataTests {
    @Test("A part that somebody removes is not said to be kept", arguments: [false, true])
    func removedPart(withFolder: Bool) throws {
        let server = LoopbackServer()
        try server.start()
        let gate = try server.gate(named: "middle")
        server.setRoute(
            "/file",
            Behaviour.file(seed: 5, count: 4_000_000).stalling(after: 2_000_000, until: gate).cutting(after: 2_100_000))
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let folder = harness.folder.path + "/own"
        let id = harness.download(server.url("/file")) { $0.folder = folder }
        harness.resume(id)
        #expect(harness.waitForReceived(2_000_000, id))
        harness.waitForStorage(of: id)
        if withFolder {
            try FileManager.default.removeItem(atPath: folder)
        } else {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) { unlink(folder + "/" + name) }
        }
        gate.release()
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error != nil && outcome.error?.partPath == nil && outcome.resumeData == nil)
    }

    @Test(
        "B09: resume data and targets can be coded, whatever they hold",
        arguments: [
            nil, DownloadTarget(folder: "/f"),
            DownloadTarget(
                folder: "/f ü", name: .fixed("n.bin"), collision: .overwrite, adoptsPart: false,
                checksum: Checksum(algorithm: .sha256, digest: Array(0..<32))),
        ])
    func coding(target: DownloadTarget?) throws {
        var headers: HeaderFields = ["Accept": "a"]
        headers.append(name: "Accept", value: "b")
        let data = ResumeData(url: "http://h/%7e?q=[1]", headers: headers, partPath: "/f/.n.part", target: target)
        let json = try JSONEncoder().encode(data)
        #expect(try JSONDecoder().decode(ResumeData.self, from: json) == data)
        let list = try PropertyListEncoder().encode(data)
        #expect(try PropertyListDecoder().decode(ResumeData.self, from: list) == data)
        for collision in DownloadTarget.Collision.allCases {
            let target = DownloadTarget(folder: "/", collision: collision)
            #expect(
                try JSONDecoder().decode(DownloadTarget.self, from: JSONEncoder().encode(target)) == target)
        }
    }

    @Test(
        "B09 KB23: a download goes on in a later run, from resume data that were written down",
        arguments: [true, false])
    func laterRun(hasTarget: Bool) async throws {
        let server = LoopbackServer()
        try server.start()
        let folder = try TemporaryFolder()
        let content = DeterministicContent(seed: 21, count: 4_000_000)
        let gate = try server.gate(named: "middle")
        let file = Behaviour.file(seed: 21, count: content.count)
        server.setRoute("/file", .sequence([file.stalling(after: 2_000_000, until: gate), file]))
        var configuration = SessionConfiguration()
        configuration.stagingFolder = folder.path + "/staging"
        let json: Data
        do {
            let manager = SessionManager(configuration: configuration)
            manager.postsNotifications = false
            let request = TransferRequest(url: server.url("/file"))
            let target = DownloadTarget(folder: folder.path, name: .fixed("file"))
            // A target finds its part by its name; without one only the resume data know where it is.
            let task =
                try hasTarget
                ? manager.downloadTask(with: request, options: TaskOptions(target: target), completionHandler: nil)
                : manager.downloadTask(with: request, destination: nil, completionHandler: nil)
            let statuses = task.statuses
            task.resume()
            for await status in statuses where status.received > 500_000 { break }
            if hasTarget { task.cancel() } else { task.cancel(keepingPart: true) }
            json = try JSONEncoder().encode(try #require(await task.completion().resumeData))
        }
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        let data = try JSONDecoder().decode(ResumeData.self, from: json)
        let target = folder.path + "/file"
        let task = try manager.downloadTask(
            withResumeData: data, destination: { _, _ in URL(fileURLWithPath: target) }, completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        #expect(completion.error == nil)
        #expect(folder.bytes(of: "file") == content.bytes(in: 0..<content.count))
        #expect(server.requests(for: "/file").last?.headers["Range"] != nil)
        gate.release()
    }
}
