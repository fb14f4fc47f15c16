import Dispatch
import Foundation
import FoundationNetworking
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct SessionTaskTests {
    private let fixture = ManagerFixture()
    private let events = EventLog<String>()

    private func makeTask() throws -> SessionTask {
        fixture.manager.onTaskEvent = { [events] _, event in
            switch event {
            case .resumed: events.add("resumed")
            case .suspended: events.add("suspended")
            case .completed: events.add("completed")
            case .response, .restarted, .retrying, .source, .resumedAtOffset, .data, .status, .moved, .moveFailed: break
            }
        }
        return try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
    }

    @Test("B10: a new task is suspended and the engine does not know it")
    func aNewTaskIsSuspended() throws {
        let task = try makeTask()
        #expect(task.state == .suspended)
        #expect(task.status.phase == .queued)
        #expect(fixture.engine.commands.isEmpty)
        task.resume()
        #expect(task.state == .running && fixture.engine.description(of: task) != nil)
    }

    @Test("D02 D03 D01 LT19: each real transition is announced once and in order")
    func transitionsAreAnnouncedOnceAndInOrder() async throws {
        let task = try makeTask()
        task.suspend()
        task.resume()
        task.resume()
        task.suspend()
        task.suspend()
        task.resume()
        fixture.engine.complete(task)
        await fixture.settle()
        task.resume()
        task.suspend()
        await fixture.settle()
        #expect(events.entries == ["resumed", "suspended", "resumed", "completed"])
        #expect(task.state == .completed)
    }

    @Test("D14: a cancelled task is not resumed and announces nothing but its end")
    func aCancelledTaskIsNotResumed() async throws {
        let task = try makeTask()
        task.resume()
        task.cancel()
        task.resume()
        await fixture.settle()
        #expect(events.entries == ["resumed", "completed"])
        #expect((task.error as? SessionError)?.code == .cancelled)
    }

    @Test func cancellingATaskThatNeverStartedCompletesIt() async throws {
        let task = try makeTask()
        task.cancel()
        let completion = await task.completion()
        #expect((completion.error as? SessionError)?.code == .cancelled)
        #expect(task.status.phase == .cancelled)
        #expect(fixture.engine.commands.isEmpty)
        #expect(fixture.manager.tasks.isEmpty)
    }

    @Test func theEngineHearsOfATaskAtItsFirstResumeAndLooksAgainAtEveryChange() throws {
        let task = try makeTask()
        task.resume()
        task.suspend()
        task.resume()
        let names = fixture.engine.commands.map { command in
            switch command {
            case .add(let description): "add \(description.id == task.id)"
            case .reconcile(let id): "reconcile \(id == task.id)"
            case .disposition, .redirect, .refuseRedirect, .consumed, .setLimits, .setRateLimits, .queue, .invalidate:
                "other"
            }
        }
        #expect(names == ["add true", "reconcile true", "reconcile true", "reconcile true"])
        #expect(task.control.intent == .running)
    }

    @Test func anyOrderFromManyThreadsEndsWithTheStateTheEngineWasTold() async throws {
        let task = try makeTask()
        let progress = try #require(task.progress(.download))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<500 {
                        switch (worker + round) % 4 {
                        case 0: task.resume()
                        case 1: task.suspend()
                        case 2: progress.pause()
                        default: progress.resume()
                        }
                    }
                }
            }
        }
        await fixture.settle()
        #expect(task.control.intent == (task.state == .running ? .running : .suspended))
        #expect(progress.isPaused == (task.state == .suspended))
        let entries = events.entries
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0 != $1 })
        #expect(entries.last == (task.state == .running ? "resumed" : "suspended"))
    }

    @Test func cancellingKeepsThePartUnlessItIsToBeDiscarded() throws {
        let kept = try makeTask()
        kept.resume()
        kept.control.setIntent(.running)
        kept.cancel()
        #expect(kept.control.intent == .cancelled(keepsPart: true))
        let discarded = try makeTask()
        discarded.resume()
        fixture.manager.discardPart(of: discarded)
        #expect(discarded.control.intent == .cancelled(keepsPart: false))
    }

    @Test func resumeDataIsHandedOverOnceWhenTheTaskHasEnded() async throws {
        let task = try makeTask()
        let received = EventLog<ResumeData?>()
        let data = ResumeData(url: "http://127.0.0.1/file", headers: [:], partPath: "/nowhere/part", target: nil)
        task.cancel { received.add($0) }
        let completion = await task.completion()
        #expect(completion.resumeData == nil)
        #expect(await received.wait(count: 1) == [nil])
        let second = try makeTask()
        second.resume()
        fixture.engine.complete(second) { $0.resumeData = data }
        _ = await second.completion()
        second.cancel { received.add($0) }
        #expect(await received.wait(count: 2) == [nil, data])
    }

    @Test("A priority that is no number is the usual one, and others lie between 0 and 1")
    func priorities() throws {
        let task = try makeTask()
        for (given, kept) in [(Float.nan, 0.5), (-.nan, 0.5), (.infinity, 1), (-1, 0), (0.25, 0.25)] as [(Float, Float)]
        {
            task.priority = given
            #expect(task.priority == kept)
        }
        #expect(MultipartForm.Throttle(packetSize: -1, delay: .nan) == MultipartForm.Throttle(packetSize: 1, delay: 0))
        #expect(MultipartForm.Throttle(delay: .infinity).delay == 60)
        var throttle = MultipartForm.Throttle()
        (throttle.packetSize, throttle.delay) = (0, .nan)
        #expect(throttle == MultipartForm.Throttle(packetSize: 1, delay: 0))
        (throttle.packetSize, throttle.delay) = (-5, .infinity)
        #expect(throttle == MultipartForm.Throttle(packetSize: 1, delay: 60))
    }

    @Test("B14 KB10: the description belongs to the user")
    func theDescriptionBelongsToTheUser() async throws {
        let task = try makeTask()
        #expect(task.taskDescription == nil)
        task.taskDescription = "mine"
        #expect(task.taskDescription == "mine")
        task.resume()
        fixture.engine.complete(task)
        _ = await task.completion()
        #expect(task.taskDescription == "mine")
    }

    @Test func theOriginalRequestIsBuiltFromTheTransferRequest() throws {
        var request = TransferRequest(url: "http://127.0.0.1/a?b=c", method: "POST", headers: ["X-One": "1"])
        request.body = .bytes([1, 2])
        let task = try fixture.manager.dataTask(with: request, completionHandler: nil)
        let built = try #require(task.originalRequest)
        #expect(built.url?.absoluteString == request.url)
        #expect(built.httpMethod == "POST")
        #expect(built.value(forHTTPHeaderField: "x-one") == "1")
        #expect(built.httpBody == Data([1, 2]))
        #expect(task.currentRequest == built)
    }

    @Test(
        "A description shows neither the query nor a name and a password",
        arguments: [
            ("http://127.0.0.1/a?token=secret", "http://127.0.0.1/a"),
            ("http://me:secret@127.0.0.1/a", "http://***@127.0.0.1/a"),
            ("http://secret@127.0.0.1/a#b", "http://***@127.0.0.1/a"),
        ])
    func aDescriptionShowsNoSecret(_ url: String, _ shown: String) throws {
        let task = try fixture.manager.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        #expect(!"\(task)".contains("secret") && !String(reflecting: task).contains("secret"))
        #expect("\(task)".contains(shown), "\(task)")
    }

    @Test("The current request is what is sent: with the fields of the manager and what interceptors changed")
    func theCurrentRequestIsWhatIsSent() async throws {
        let fixture = ManagerFixture { _ in .ok() }
        fixture.manager.requestHeaders.setValue("1", forHTTPHeaderField: "X-Manager")
        fixture.manager.interceptors = [
            ClosureInterceptor(adapt: { request, _ in
                var request = request
                request.url += "?signed"
                request.headers["X-Own"] = nil
                request.headers["X-Added"] = "2"
                request.body = .bytes([3])
                return request
            })
        ]
        var request = URLRequest(url: try #require(URL(string: fixture.request.url)))
        request.httpMethod = "POST"
        request.httpBody = Data([1, 2])
        request.setValue("own", forHTTPHeaderField: "X-Own")
        request.httpShouldHandleCookies = false
        request.timeoutInterval = 7
        let tasks = EventLog<SessionTask>()
        var options = TaskOptions()
        options.onTask = { tasks.add($0) }
        _ = try await fixture.manager.data(for: request, options: options)
        let task = tasks.entries[0]
        #expect(task.originalRequest == request)
        let current = try #require(task.currentRequest)
        #expect(current.url?.absoluteString == fixture.request.url + "?signed" && current.httpMethod == "POST")
        #expect(current.allHTTPHeaderFields?["X-Manager"] == "1" && current.allHTTPHeaderFields?["X-Added"] == "2")
        #expect(current.value(forHTTPHeaderField: "X-Own") == nil && current.httpBody == Data([3]))
        #expect(!current.httpShouldHandleCookies && current.timeoutInterval == 7)
        _ = try await fixture.manager.data(for: fixture.request, options: options)
        #expect(tasks.entries[1].currentRequest?.value(forHTTPHeaderField: "X-Added") == "2")
    }
}

@Suite("Transitions nobody was told of") struct UnannouncedTransitionsTests {
    @Test(
        "They come back in the order in which they were made",
        arguments: [[], [.resumed], [.suspended], [.resumed, .suspended], [.suspended, .resumed, .suspended]]
            as [[TaskTransition]])
    func order(made: [TaskTransition]) {
        var transitions = UnannouncedTransitions()
        for transition in made { transitions.append(transition) }
        #expect(Array(transitions) == made)
        #expect(transitions.last == made.last)
        #expect(transitions.isEmpty == made.isEmpty)
    }
}
