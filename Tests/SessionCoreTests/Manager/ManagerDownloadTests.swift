import Foundation
import FoundationNetworking
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct ManagerDownloadTests {
    private let fixture = ManagerFixture()
    private let folder: TemporaryFolder
    private let results = EventLog<Result>()

    private struct Result: Sendable {
        var url: URL?
        var error: (any Error)?
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a download that the engine has staged and returns what the handler got.
    private func download(
        destination: SessionManager.DownloadDestination?, outcome: TransferEnd = .ok()
    ) async throws -> (SessionTask, Result) {
        let staged = try folder.write("bytes", to: "staged")
        let task = try fixture.manager.downloadTask(with: fixture.request, destination: destination) {
            [results] _, url, error in
            results.add(Result(url: url, error: error))
        }
        task.resume()
        fixture.engine.complete(task) {
            $0 = outcome
            $0.filePath = staged.path
        }
        let entries = await results.wait(count: 1)
        return (task, entries[0])
    }

    @Test("B08 C06 C20: the destination closure gets the temporary file and its answer is where the file goes")
    func theFileGoesWhereTheClosureSays() async throws {
        let target = folder.file("final")
        let seen = EventLog<String>()
        let events = EventLog<String>()
        fixture.manager.onTaskEvent = { _, event in
            if case .moved(let path) = event { events.add(path) }
        }
        let (task, result) = try await download(destination: { file, response in
            seen.add("\(file.lastPathComponent) \(response?.statusCode ?? 0)")
            return target
        })
        #expect(task.kind == .download)
        #expect(result.url == target)
        #expect(result.error == nil)
        #expect(seen.entries == ["staged 200"])
        #expect(events.entries == [target.path])
        #expect(folder.text(of: "final") == "bytes")
        #expect(folder.text(of: "staged") == nil)
    }

    @Test("C05 D5 KB11 F05 F10 C20: a failed move is the handler's error, and the file that was there stays")
    func aFailedMoveIsAnError() async throws {
        let target = try folder.write("old", to: "final")
        let notes = EventLog<String>()
        let observer = NotificationCenter.default.addObserver(
            forName: .sessionDownloadTaskDidFailToMoveFile, object: nil, queue: nil
        ) { note in
            let isOurs = (note.userInfo?[SessionNotification.errorKey] as? SessionError)?.message.contains(target.path)
            if isOurs == true { notes.add(note.name.rawValue) }
        }
        let (task, result) = try await download(destination: { _, _ in target })
        NotificationCenter.default.removeObserver(observer)
        #expect(result.url == nil)
        #expect((result.error as? SessionError)?.code == .destinationExists)
        #expect(await task.completion().fileURL == target)
        #expect(folder.text(of: "final") == "old")
        #expect(notes.entries == ["com.alamofire.networking.session.download.file-manager-error"])
    }

    @Test func aDestinationInAFolderThatIsMissingIsAnError() async throws {
        let target = folder.file("missing/final")
        let (_, result) = try await download(destination: { _, _ in target })
        #expect((result.error as? SessionError)?.code == .notFound)
    }

    @Test func aDestinationThatIsNoFileURLIsAnError() async throws {
        let target = try #require(URL(string: "http://h/final"))
        let (_, result) = try await download(destination: { _, _ in target })
        #expect(result.error is SessionError)
    }

    @Test("KB22: without a closure the temporary file is the caller's; a closure's nil removes it")
    func withoutAClosureTheFileStays() async throws {
        let (_, kept) = try await download(destination: nil)
        #expect(kept.url?.lastPathComponent == "staged")
        #expect(folder.text(of: "staged") == "bytes")
    }

    @Test func aClosuresNilRemovesTheFile() async throws {
        let (_, result) = try await download(destination: { _, _ in nil })
        #expect(result.url == nil && result.error == nil)
        #expect(folder.text(of: "staged") == nil)
    }

    @Test("D6 KB12 C23: a 404 is not moved; the error has its body")
    func anErrorPageIsNotMoved() async throws {
        let target = folder.file("final")
        let (_, result) = try await download(
            destination: { _, _ in target }, outcome: .ok("sorry", type: "text/html", status: 404))
        let error = try #require(result.error as? SessionError)
        #expect(error.code == .http)
        #expect(error.statusCode == 404)
        #expect(error.responseBody == Array("sorry".utf8))
        #expect(result.url == nil)
        #expect(folder.text(of: "final") == nil)
        #expect(folder.text(of: "staged") == nil)
    }

    @Test("E13: the manager's closure has the first say, and nil leaves it to the task's own")
    func theManagersClosureHasTheFirstSay() async throws {
        let target = folder.file("managers")
        let own = folder.file("own")
        fixture.manager.onDownloadFinished = { _, _ in target }
        let (_, result) = try await download(destination: { _, _ in own })
        #expect(result.url == target)
        #expect(folder.text(of: "own") == nil)
    }

    @Test("E13: the manager's nil leaves it to the task's closure") func theManagersNilLeavesItToTheTask() async throws
    {
        let own = folder.file("own")
        fixture.manager.onDownloadFinished = { _, _ in nil }
        let (_, result) = try await download(destination: { _, _ in own })
        #expect(result.url == own)
    }

    @Test("A server that has nothing behind the last byte has not refused the file", arguments: [true, false])
    func nothingFollows(hasFile: Bool) async throws {
        let target = DownloadTarget(folder: folder.url.path, name: .fixed("file"))
        let task = try fixture.manager.downloadTask(
            with: fixture.request, options: TaskOptions(target: target), completionHandler: nil)
        task.resume()
        fixture.engine.complete(task) {
            $0 = .ok("no such range", type: "text/plain", status: 416)
            if hasFile { $0.filePath = folder.file("file").path }
        }
        let completion = await task.completion()
        #expect((completion.error as? SessionError)?.statusCode == (hasFile ? nil : 416))
        #expect((completion.error == nil) == hasFile)
    }

    @Test("A download that the engine has found whole completes, whatever a serializer thinks of its status")
    func wholeFiles() async throws {
        let serializers: [(any ResponseSerializer)?] = [
            nil, HTTPResponseSerializer(), JSONResponseSerializer(), StringResponseSerializer(),
        ]
        for serializer in serializers {
            for (status, isStaged, wasSkipped) in [(416, false, false), (416, true, false), (304, false, true)] {
                let file = try folder.write("bytes", to: "\(UUID())")
                let target = DownloadTarget(folder: folder.url.path, name: .fixed(file.lastPathComponent))
                var options = TaskOptions(target: isStaged ? nil : target)
                options.responseSerializer = serializer
                let task = try fixture.manager.downloadTask(with: fixture.request, options: options) {
                    [results] _, url, error in
                    results.add(Result(url: url, error: error))
                }
                let count = results.entries.count
                task.resume()
                fixture.engine.complete(task) {
                    $0 = .ok("", type: "text/html", status: status)
                    ($0.filePath, $0.wasSkipped) = (file.path, wasSkipped)
                }
                let result = await results.wait(count: count + 1)[count]
                #expect(result.url == file && result.error == nil, "\(status), \(String(describing: serializer))")
            }
        }
    }

    @Test("A target's file is where the engine put it, and resume data go on to the same place")
    func aTargetsFileIsWhereTheEnginePutIt() async throws {
        let target = DownloadTarget(folder: folder.url.path, name: .fixed("file"))
        let task = try fixture.manager.downloadTask(with: fixture.request, options: TaskOptions(target: target)) {
            [results] _, url, error in
            results.add(Result(url: url, error: error))
        }
        task.resume()
        #expect(fixture.engine.description(of: task)?.sink == .file(target))
        fixture.engine.complete(task) { $0.filePath = folder.file("file").path }
        #expect(await results.wait(count: 1)[0].url == folder.file("file"))

        let data = ResumeData(url: "http://127.0.0.1/file", headers: ["X-A": "b"], partPath: "/part", target: target)
        let second = try fixture.manager.downloadTask(withResumeData: data, completionHandler: nil)
        second.resume()
        let description = try #require(fixture.engine.description(of: second))
        #expect(description.sink == .file(target))
        #expect(description.resumeData == data)
        #expect(description.request.headers["X-A"] == "b")
    }

    @Test("C01 C18 C19 E14 E15: write and resume counts reach progress first, then the closures")
    func writeAndResumeCountsReachTheClosures() async throws {
        let order = EventLog<String>()
        fixture.manager.onResumeAtOffset = { _, place in
            order.add("at \(place.offset) of \(place.expectedTotal ?? -1)")
        }
        fixture.manager.onWriteData = { _, counts in
            order.add("wrote \(counts.sinceLast) \(counts.total) \(counts.expected ?? -1)")
        }
        let task = try fixture.manager.downloadTask(
            with: fixture.request,
            progress: { order.add("progress \($0.completedUnitCount) \($0.totalUnitCount)") }, destination: nil,
            completionHandler: nil)
        task.resume()
        fixture.engine.publish(.resumedAtOffset(task.id, offset: 40, expectedTotal: 100))
        var status = TaskStatus()
        status.received = 60
        status.expectedToReceive = 100
        fixture.engine.publish(status, of: task)
        await fixture.settle()
        #expect(order.entries == ["at 40 of 100", "progress 60 100", "wrote 20 60 100"])
        // Another task's counts are its own.
        let other = try fixture.manager.downloadTask(
            with: fixture.request, progress: { order.add("other \($0.completedUnitCount)") }, destination: nil,
            completionHandler: nil)
        other.resume()
        (status.received, status.expectedToReceive) = (70, 90)
        fixture.engine.publish(status, of: other)
        await fixture.settle()
        #expect(order.entries.dropFirst(3) == ["other 70", "wrote 70 70 90"])
    }
}
