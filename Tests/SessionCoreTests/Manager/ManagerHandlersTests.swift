import Foundation
import FoundationNetworking
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct ManagerHandlersTests {
    private let fixture = ManagerFixture()
    private let order = EventLog<String>()

    private func start(_ delivery: BodyDelivery = .memory) throws -> SessionTask {
        let task = try fixture.manager.dataTask(
            with: fixture.request, options: TaskOptions(delivery: delivery),
            completionHandler: { [order] _, object, error in
                let count = (object as? Data)?.count
                order.add("end \(count.map { "\($0)" } ?? "-") \((error as? SessionError)?.code.rawValue ?? "ok")")
            })
        task.resume()
        return task
    }

    private var answers: [String] {
        fixture.engine.commands.compactMap { command in
            switch command {
            case .disposition(_, let disposition, _): "\(disposition)"
            case .redirect(_, let request): request?.url ?? "refused"
            case .refuseRedirect: "no consent"
            case .consumed(_, let bytes): "consumed \(bytes)"
            case .add, .reconcile, .setLimits, .setRateLimits, .queue, .invalidate: nil
            }
        }
    }

    @Test("A19: without closures the engine asks nothing; what is set while a task runs is asked for it")
    func withoutClosuresNothingIsAsked() throws {
        let description = try #require(fixture.engine.description(of: try start()))
        let all: [Questions] = [.disposition, .redirect, .challenge, .body, .chunks]
        #expect(!all.contains(where: description.asks))
        #expect(description.sink == .memory(limit: SessionConfiguration.default.dataLimit))
        let manager = fixture.manager
        manager.onResponse = { _, _ in .allow }
        manager.onRedirect = { _, _, request in request }
        manager.onTaskChallenge = { _, _ in .performDefault }
        manager.onNeedNewBody = { _ in nil }
        manager.onData = { _, _ in }
        #expect(all.allSatisfy(description.asks))
        manager.handlers = SessionHandlers()
        #expect(!all.contains(where: description.asks))
        manager.onSessionChallenge = { _ in .performDefault }
        #expect(all.filter(description.asks) == [.challenge])
    }

    @Test("E08: the closure's disposition is what the engine is told")
    func theDispositionIsTold() async throws {
        fixture.manager.onResponse = { [order] _, head in
            order.add("response \(head.statusCode)")
            return .cancel
        }
        let task = try start()
        #expect(try #require(fixture.engine.description(of: task)).asks(.disposition))
        fixture.engine.publish(
            .response(task.id, ResponseHead(statusCode: 200, url: "http://h/"), question: 1))
        await fixture.settle()
        #expect(order.entries == ["response 200"])
        #expect(answers == ["cancel"])
        #expect(task.responseHead?.statusCode == 200)
    }

    @Test("C15 E09 KB09: a data task that becomes a download stays the same task with the same progress")
    func aDataTaskBecomesADownload() async throws {
        let folder = try TemporaryFolder()
        let staged = try folder.write("bytes", to: "staged")
        fixture.manager.onResponse = { _, _ in .becomeDownload }
        fixture.manager.onBecomeDownload = { [order] task in order.add("became \(task.kind)") }
        let task = try start()
        let progress = try #require(fixture.manager.downloadProgress(for: task))
        fixture.engine.publish(
            .response(task.id, ResponseHead(statusCode: 200, url: "http://h/"), question: 1))
        await fixture.settle()
        #expect(answers == ["becomeDownload"])
        #expect(fixture.manager.downloadTasks == [task])
        #expect(fixture.manager.downloadProgress(for: task) === progress)
        progress.pause()
        #expect(task.state == .suspended)
        fixture.engine.complete(task) { $0.filePath = staged.path }
        let completion = await task.completion()
        #expect(completion.fileURL?.path == staged.path)
        #expect(order.entries.first == "became download")
    }

    @Test("A transition that is made while the last ones are being told is told before the end")
    func transitionsBeforeTheEnd() async throws {
        let told = EventLog<String>()
        fixture.manager.onTaskEvent = { task, event in
            switch event {
            case .resumed:
                told.add("resumed")
                task.suspend()
            case .suspended:
                told.add("suspended")
                task.resume()
            case .completed: told.add("completed")
            default: break
            }
        }
        let gate = DispatchSemaphore(value: 0)
        fixture.manager.operationQueue.addOperation { gate.wait() }
        let task = try start()
        fixture.engine.complete(task)
        gate.signal()
        _ = await told.wait { $0.contains("completed") }
        await fixture.settle()
        #expect(told.entries == ["resumed", "suspended", "resumed", "completed"])
    }

    @Test("A response that is asked about again becomes a download as the first one did")
    func aResponseBecomesADownloadAgain() async throws {
        let told = EventLog<Int>()
        fixture.manager.onResponse = { _, _ in .becomeDownload }
        fixture.manager.onBecomeDownload = { _ in told.add(1) }
        let task = try start()
        for _ in 0..<2 {
            fixture.engine.publish(.response(task.id, ResponseHead(statusCode: 200), question: 1))
        }
        await fixture.settle()
        #expect(answers == ["becomeDownload", "becomeDownload"])
        #expect(task.kind == .download && told.entries == [1])
    }

    @Test("E03: the closure may follow, change or refuse a redirect")
    func theClosureDecidesAboutRedirects() async throws {
        fixture.manager.onRedirect = { _, head, request in
            guard head.statusCode != 303 else { return nil }
            var changed = request
            changed.headers["X-Hop"] = "1"
            return changed
        }
        let task = try start()
        #expect(try #require(fixture.engine.description(of: task)).asks(.redirect))
        let target = TransferRequest(url: "http://h/next")
        fixture.engine.publish(.redirect(task.id, ResponseHead(statusCode: 302), to: target))
        await fixture.settle()
        #expect(task.currentRequest?.url?.absoluteString == "http://h/next")
        #expect(task.currentRequest?.value(forHTTPHeaderField: "X-Hop") == "1")
        #expect(task.originalRequest?.url?.absoluteString == fixture.request.url)
        fixture.engine.publish(.redirect(task.id, ResponseHead(statusCode: 303), to: target))
        await fixture.settle()
        #expect(answers == ["http://h/next", "refused"])
    }

    @Test(
        "A redirect that needs consent is refused where nobody decides, and followed where a closure returns a request")
    func consent() async throws {
        final class Handler: TaskHandler {}
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.handler = Handler()
        task.resume()
        let redirect = EngineEvent.redirect(
            task.id, ResponseHead(statusCode: 302), to: fixture.request, needsConsent: true)
        fixture.engine.publish(redirect)
        await fixture.settle()
        fixture.manager.onRedirect = { _, _, request in request }
        fixture.engine.publish(redirect)
        await fixture.settle()
        #expect(answers == ["no consent", fixture.request.url])
    }

    @Test("B21: the task's own handler decides before the manager")
    func theTasksHandlerDecidesFirst() async throws {
        final class Handler: TaskHandler {
            func task(_ task: SessionTask, dispositionFor head: ResponseHead) -> ResponseDisposition? {
                head.statusCode == 200 ? .cancel : nil
            }
            func task(
                _ task: SessionTask, willFollow request: TransferRequest, from head: ResponseHead
            ) -> RedirectDecision { .refuse }
        }
        fixture.manager.onResponse = { _, _ in .allow }
        fixture.manager.onRedirect = { _, _, request in request }
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.handler = Handler()
        task.resume()
        fixture.engine.publish(.redirect(task.id, ResponseHead(statusCode: 302), to: fixture.request))
        fixture.engine.publish(.response(task.id, ResponseHead(statusCode: 200), question: 1))
        fixture.engine.publish(.response(task.id, ResponseHead(statusCode: 201), question: 1))
        await fixture.settle()
        #expect(answers == ["refused", "cancel", "allow"])
    }

    @Test("E10 C16: chunks reach the closure in order and are collected all the same")
    func chunksReachTheClosureAndAreCollected() async throws {
        fixture.manager.responseSerializer = DataResponseSerializer()
        fixture.manager.onData = { [order] _, data in order.add("chunk \([UInt8](data))") }
        let task = try start()
        let description = try #require(fixture.engine.description(of: task))
        #expect(description.asks(.chunks) && description.sink == .memory(limit: SessionConfiguration().dataLimit))
        fixture.engine.publish(.data(task.id, [1, 2]), .data(task.id, [3]))
        fixture.engine.complete(task) { $0.body = [1, 2, 3] }
        #expect(await order.wait(count: 3) == ["chunk [1, 2]", "chunk [3]", "end 3 ok"])
        #expect(answers == ["consumed 2", "consumed 1"])
    }

    @Test("KB21: a streamed body is not collected, and bytes are given back only after the closure returned")
    func aStreamedBodyIsNotCollected() async throws {
        fixture.manager.responseSerializer = DataResponseSerializer()
        let task = try start(.stream({ [order] bytes in order.add("chunk \(bytes.count)") }))
        fixture.engine.publish(.data(task.id, [UInt8](repeating: 0, count: 10)))
        fixture.engine.complete(task)
        #expect(await order.wait(count: 2) == ["chunk 10", "end 0 ok"])
        #expect(answers == ["consumed 10"])
    }

    @Test("Retries and restarts are told to who listens")
    func retriesAndRestartsAreTold() async throws {
        fixture.manager.onTaskEvent = { [order] _, event in
            switch event {
            case .restarted(let reason): order.add("restarted \(reason)")
            case .retrying(let attempt, let delay, let reason): order.add("retrying \(attempt) \(delay) \(reason)")
            case .source(let change): order.add("\(change)")
            case .resumed, .suspended, .response, .resumedAtOffset, .data, .status, .moved, .moveFailed, .completed:
                break
            }
        }
        let task = try start()
        fixture.engine.publish(
            .retrying(task.id, attempt: 1, afterMilliseconds: 500, reason: "lost"),
            .restarted(task.id, reason: "changed"), .source(task.id, .dropped(url: "http://m/f", reason: "gone")))
        await fixture.settle()
        #expect(
            order.entries == [
                "retrying 1 500 lost", "restarted changed", "dropped(url: \"http://m/f\", reason: \"gone\")",
            ])
    }

    @Test("E01 F04: the invalidation is told and posted once with the session")
    func theInvalidationIsPosted() async throws {
        let session = fixture.manager.session
        let observer = NotificationCenter.default.addObserver(
            forName: .sessionDidInvalidate, object: session, queue: nil
        ) { [order] _ in order.add("notification") }
        fixture.manager.onInvalidate = { [order] invalid, _ in order.add("closure \(invalid === session)") }
        fixture.manager.invalidate(cancellingTasks: true, resettingSession: true)
        #expect(await order.wait(count: 2) == ["closure true", "notification"])
        NotificationCenter.default.removeObserver(observer)
    }
}
