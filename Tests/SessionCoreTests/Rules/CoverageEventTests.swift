import Foundation
import FoundationNetworking
import Testing

@testable import SessionCore

/// Rows of groups E, F and H that no other suite shows.
@Suite("Coverage: events and notifications", .timeLimit(.minutes(1)))
struct CoverageEventTests {
    private let fixture = ManagerFixture()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Ends a download that goes to a place, and returns the notification of a name that it posts.
    private func notification(
        _ name: Notification.Name, destination: URL
    ) async throws -> (keys: Set<String>, values: [String: String]) {
        let staged = try folder.write("bytes", to: "staged")
        let task = try fixture.manager.downloadTask(
            with: fixture.request, destination: { _, _ in destination }, completionHandler: nil)
        let posted = EventLog<[String: String]>()
        let observer = NotificationCenter.default.addObserver(forName: name, object: task, queue: nil) { note in
            let pairs = (note.userInfo ?? [:]).map { ("\($0.key)", "\($0.value)") }
            posted.add(Dictionary(pairs) { first, _ in first })
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        task.resume()
        fixture.engine.complete(task) { $0.filePath = staged.path }
        let values = await posted.wait(count: 1)[0]
        return (Set(values.keys), values)
    }

    @Test("F06 F07 F08 F09 F10: a file's completion carries its place twice and no body")
    func aFilesCompletionCarriesItsPlace() async throws {
        let target = folder.file("final")
        let (keys, values) = try await notification(.sessionTaskDidComplete, destination: target)
        #expect(
            keys == [
                SessionNotification.serializedResponseKey, SessionNotification.responseSerializerKey,
                SessionNotification.assetPathKey, SessionNotification.metricsKey,
            ])
        #expect(values[SessionNotification.assetPathKey] == target.absoluteString)
        #expect(values[SessionNotification.serializedResponseKey] == target.absoluteString)
    }

    @Test("C05 F09 F10: a file that could not be moved is named beside the error")
    func aFailedMoveIsNamed() async throws {
        let target = try folder.write("old", to: "final")
        let (keys, values) = try await notification(.sessionTaskDidComplete, destination: target)
        #expect(keys.isSuperset(of: [SessionNotification.errorKey, SessionNotification.assetPathKey]))
        #expect(!keys.contains(SessionNotification.serializedResponseKey))
        #expect(values[SessionNotification.assetPathKey] == target.absoluteString)
    }

    @Test("F05: a move that failed is posted with the error's own description, and the error")
    func aFailedMoveIsPosted() async throws {
        let target = try folder.write("old", to: "final")
        let events = EventLog<SessionError>()
        fixture.manager.onTaskEvent = { _, event in if case .moveFailed(let error) = event { events.add(error) } }
        let (keys, values) = try await notification(.sessionDownloadTaskDidFailToMoveFile, destination: target)
        #expect(keys.isSuperset(of: [NSLocalizedDescriptionKey, SessionNotification.errorKey]))
        #expect(events.entries.map(\.code) == [.destinationExists])
        #expect(values[NSLocalizedDescriptionKey] == events.entries.first?.message)
    }

    @Test("F06 F07 F08 F09: the notification holds object, serializer, body and error themselves")
    func theNotificationHoldsTheValues() async throws {
        let posted = EventLog<[String]>()
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let observer = NotificationCenter.default.addObserver(
            forName: .sessionTaskDidComplete, object: task, queue: nil
        ) { note in
            let info = note.userInfo ?? [:]
            let object = info[SessionNotification.serializedResponseKey] as? [String: any Sendable]
            let error = info[SessionNotification.errorKey] as? ResponseSerializationError
            posted.add([
                object?["a"] as? String ?? "",
                "\(info[SessionNotification.responseSerializerKey] is JSONResponseSerializer)",
                (info[SessionNotification.responseDataKey] as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "",
                error.map { "\($0.reason)" } ?? "",
            ])
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        task.resume()
        fixture.engine.complete(task) { $0 = .ok(#"{"a":"b"}"#, type: "application/json", status: 404) }
        let values = await posted.wait(count: 1)[0]
        #expect(values == ["b", "true", #"{"a":"b"}"#, "unacceptableStatusCode(404)"])
    }

    @Test("F01 F02 F03 F04 F05 F06 F07 F08 F09 F10 H03 H06: names and keys are the original's strings")
    func namesAreTheOriginals() {
        let task = "com.alamofire.networking.task"
        let names: [Notification.Name] = [
            .sessionTaskDidResume, .sessionTaskDidSuspend, .sessionTaskDidComplete, .sessionDidInvalidate,
            .sessionDownloadTaskDidFailToMoveFile, .sessionDownloadTaskDidMoveFile,
        ]
        #expect(
            names.map(\.rawValue) == [
                "\(task).resume", "\(task).suspend", "\(task).complete", "com.alamofire.networking.session.invalidate",
                "com.alamofire.networking.session.download.file-manager-error",
                "com.alamofire.networking.session.download.file-manager-succeed",
            ])
        #expect(SessionNotification.serializedResponseKey == "\(task).complete.serializedresponse")
        #expect(SessionNotification.responseSerializerKey == "\(task).complete.responseserializer")
        #expect(SessionNotification.responseDataKey == "com.alamofire.networking.complete.finish.responsedata")
        #expect(SessionNotification.errorKey == "\(task).complete.error")
        #expect(SessionNotification.assetPathKey == "\(task).complete.assetpath")
        #expect(SessionNotification.metricsKey == "com.alamofire.networking.complete.sessiontaskmetrics")
    }

    @Test("C19: a download that goes on has the offset and the whole length in its progress when that is told")
    func theOffsetIsInTheProgress() async throws {
        let log = EventLog<[Int64]>()
        let progress = EventLog<Progress>()
        fixture.manager.onResumeAtOffset = { _, place in
            let counts = progress.entries.flatMap { [$0.completedUnitCount, $0.totalUnitCount] }
            log.add([place.offset, place.expectedTotal ?? -1] + counts)
        }
        let task = try fixture.manager.downloadTask(with: fixture.request, destination: nil, completionHandler: nil)
        progress.add(try #require(fixture.manager.downloadProgress(for: task)))
        task.resume()
        fixture.engine.publish(.resumedAtOffset(task.id, offset: 40, expectedTotal: 100))
        #expect(await log.wait(count: 1) == [[40, 100, 40, 100]])
    }

    @Test("H06: a move that worked is posted without a userInfo, under the original's name")
    func aMoveIsPosted() async throws {
        let (keys, _) = try await notification(
            .sessionDownloadTaskDidMoveFile, destination: folder.file("final"))
        #expect(keys.isEmpty)
        let name = Notification.Name.sessionDownloadTaskDidMoveFile.rawValue
        #expect(name == "com.alamofire.networking.session.download.file-manager-succeed")
    }

    @Test("H02 H03 KB44: figures come before the end, once, for every task, and are in the notification")
    func figuresComeBeforeTheEnd() async throws {
        let log = EventLog<String>()
        fixture.manager.onMetrics = { _, metrics in log.add("metrics \(metrics.total)") }
        fixture.manager.onComplete = { _, error in log.add("complete \(error == nil)") }
        let posted = EventLog<Double>()
        let good = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let observer = NotificationCenter.default.addObserver(
            forName: .sessionTaskDidComplete, object: good, queue: nil
        ) { note in
            posted.add((note.userInfo?[SessionNotification.metricsKey] as? TransferMetrics)?.total ?? -1)
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        good.resume()
        fixture.engine.complete(good) { $0.metrics.total = 1.5 }
        #expect(await good.completion().metrics.total == 1.5)
        let bad = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        bad.resume()
        fixture.engine.finish(bad.id, .failed(.connectionLost))
        _ = await bad.completion()
        await fixture.settle()
        #expect(log.entries == ["metrics 1.5", "complete true", "metrics 0.0", "complete false"])
        #expect(posted.entries == [1.5])
    }

    @Test("B20 E07 E14 H07: the task's own side goes first, then its handler, then the manager's closure")
    func theTasksOwnSideGoesFirst() async throws {
        final class Handler: TaskHandler {
            let log: EventLog<String>
            init(log: EventLog<String>) { self.log = log }
            func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
                if case .status = event { log.add("handler") }
            }
        }
        let log = EventLog<String>()
        let manager = fixture.manager
        manager.onSendBody = { _, _ in log.add("onSendBody") }
        manager.onWriteData = { _, _ in log.add("onWriteData") }
        manager.onTaskEvent = { _, event in if case .status = event { log.add("onTaskEvent") } }
        let task = try manager.downloadTask(
            with: fixture.request, progress: { _ in log.add("progress") }, destination: nil, completionHandler: nil)
        task.handler = Handler(log: log)
        task.resume()
        var status = TaskStatus()
        (status.sent, status.received) = (1, 1)
        fixture.engine.publish(status, of: task)
        await fixture.settle()
        #expect(log.entries == ["progress", "onSendBody", "onWriteData", "handler", "onTaskEvent"])
    }

    @Test("A25: everything that an engine says of a task and of itself reaches the manager's closures")
    func everythingAnEngineSaysIsHeard() async throws {
        let log = EventLog<String>()
        let (manager, engine) = (fixture.manager, fixture.engine)
        // The name of the case, without what it holds.
        manager.onTaskEvent = { _, event in log.add(String("\(event)".prefix { $0 != "(" })) }
        manager.onRedirect = { _, _, request in
            log.add("redirect")
            return request
        }
        manager.onTaskChallenge = { _, _ in
            log.add("challenge")
            return .performDefault
        }
        manager.onNeedNewBody = { _ in
            log.add("needsBody")
            return .bytes([])
        }
        manager.onInvalidate = { _, _ in log.add("invalidated") }
        let task = try manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        let question = EngineChallenge(
            kind: .credentials(scheme: "Basic", isProxy: false), scheme: "http", host: "127.0.0.1", port: 80)
        var status = TaskStatus()
        status.received = 1
        engine.publish(
            .redirect(task.id, ResponseHead(statusCode: 302), to: fixture.request),
            .hop(task.id, TransferRequest(url: "http://127.0.0.1/hop")),
            .challenge(task.id, question) { _ in log.add("answer") }, .needsBody(task.id) { _ in log.add("body") },
            .retrying(task.id, attempt: 1, afterMilliseconds: 1, reason: "lost"),
            .restarted(task.id, reason: "changed"), .resumedAtOffset(task.id, offset: 1, expectedTotal: 2),
            .response(task.id, ResponseHead(statusCode: 200)), .data(task.id, [1]), .status(task.id, status))
        await fixture.settle()
        _ = await log.wait { $0.contains("answer") }
        #expect(task.currentRequest?.url?.lastPathComponent == "hop")
        engine.complete(task)
        _ = await task.completion()
        manager.invalidate(cancellingTasks: false)
        let heard = await log.wait { $0.contains("invalidated") }
        #expect(
            Set(heard) == [
                "answer", "body", "challenge", "completed", "data", "invalidated", "needsBody", "redirect",
                "response", "restarted", "resumed", "resumedAtOffset", "retrying", "status",
            ])
    }

    @Test("A25 E16: whatever an engine says of a task that has ended is ignored")
    func whatComesAfterTheEndIsIgnored() async throws {
        let log = EventLog<String>()
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        fixture.engine.complete(task)
        _ = await task.completion()
        await fixture.settle()
        fixture.manager.onTaskEvent = { _, _ in log.add("event") }
        fixture.manager.onRedirect = { _, _, request in
            log.add("redirect")
            return request
        }
        fixture.engine.publish(
            .data(task.id, [1]), .response(task.id, ResponseHead(statusCode: 200)),
            .redirect(task.id, ResponseHead(statusCode: 302), to: fixture.request), .status(task.id, TaskStatus()),
            .resumedAtOffset(task.id, offset: 1, expectedTotal: 2), .restarted(task.id, reason: "late"),
            TransferEnd.failed(.connectionLost).event(of: task.id))
        await fixture.settle()
        #expect(log.entries.isEmpty)
        #expect(task.error == nil)
    }

    @Test("H08: a handler that overrides nothing changes nothing")
    func aHandlerThatOverridesNothingChangesNothing() async throws {
        final class Silent: TaskHandler {}
        fixture.manager.onResponse = { _, _ in .cancel }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.handler = Silent()
        task.resume()
        fixture.engine.publish(.response(task.id, ResponseHead(statusCode: 200), question: 1))
        fixture.engine.publish(.redirect(task.id, ResponseHead(statusCode: 302), to: fixture.request))
        await fixture.settle()
        let answers = fixture.engine.commands.compactMap { command -> String? in
            switch command {
            case .disposition(_, let disposition, _): "\(disposition)"
            case .redirect(_, let request): request?.url ?? "refused"
            case .add, .reconcile, .refuseRedirect, .consumed, .setLimits, .setRateLimits, .queue, .invalidate: nil
            }
        }
        #expect(answers == ["cancel", fixture.request.url])
    }
}
