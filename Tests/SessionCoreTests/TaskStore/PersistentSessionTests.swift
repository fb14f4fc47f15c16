import Foundation
import SessionSupport
import Testing

@testable import SessionCore

/// Runs of one session after another on a scripted engine.
@Suite("Persistent session", .timeLimit(.minutes(1)))
struct PersistentSessionTests {
    let fixture: PersistentFixture
    let request = TransferRequest(url: "http://127.0.0.1/file")

    init() throws {
        fixture = try PersistentFixture()
    }

    @Test("A session without an identifier writes nothing and lists nothing")
    func ephemeralSessionsWriteNothing() async throws {
        let fixture = try PersistentFixture { $0.identifier = nil }
        let manager = fixture.manager(ScriptedEngine { _ in .ok("{}", type: "application/json") })
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        _ = await task.completion()
        #expect(manager.store.error == nil)
        #expect(try manager.store.transfers.isEmpty)
        manager.store.remove(task.id)
        try await manager.store.flush()
        await manager.close()
        #expect(fixture.folder.names.isEmpty)
    }

    @Test("Leaving by callback is leaving: the next session can be opened and has the task")
    func closingCallsBack() async throws {
        let first = fixture.manager(ScriptedEngine())
        let task = try first.dataTask(with: request, completionHandler: nil)
        task.resume()
        await withCheckedContinuation { continuation in first.close { continuation.resume() } }
        let second = fixture.manager(ScriptedEngine())
        #expect(second.store.error == nil)
        #expect(second.tasks.map(\.id) == [task.id])
        await second.close()
    }

    @Test("A pause before leaving is stored, however late another thread schedules what it has left for delivery")
    func pausedBeforeLeaving() async throws {
        let first = fixture.manager(ScriptedEngine())
        let task = try first.dataTask(with: request, completionHandler: nil)
        task.resume()
        try await first.store.flush()
        let session = first.session
        #expect(session.state.withLock { $0.leave(.engine([])) }, "the thread that has to schedule is slow")
        task.suspend()
        first.close {}
        await withCheckedContinuation { continuation in first.operationQueue.addOperation { continuation.resume() } }
        session.delegateQueue.deliver(session.drain)
        _ = await task.completion()
        await first.close()
        let second = fixture.manager(ScriptedEngine())
        #expect(try second.store.transfers.map(\.wanted) == [.paused])
        await second.close()
    }

    @Test("A transfer that was written down gets its task in the next run, or in this one under its number")
    func transfersWithoutTasks() async throws {
        let first = fixture.manager(ScriptedEngine())
        let secret = TransferRequest(url: request.url, headers: ["Authorization": "Bearer sesame", "Accept": "*/*"])
        for request in [request, secret] {
            var waiting = StoredTransfer(id: .next(), kind: .data, request: request, createdAt: 1)
            waiting.wanted = .running
            try first.store.put(waiting)
        }
        let stored = try first.store.transfers
        #expect(stored.map(\.needsCredentials) == [false, true])
        #expect(stored.last?.request.headers.count == 1)
        #expect(first.tasks.isEmpty)
        let options = TaskOptions(id: stored[1].id, position: -1)
        let task = try first.dataTask(with: secret, options: options, completionHandler: nil)
        #expect(task.id == stored[1].id)
        let error = #expect(throws: SessionError.self) {
            try first.dataTask(with: secret, options: options, completionHandler: nil)
        }
        #expect(error?.code == .invalidRequest)
        let unkept = try first.dataTask(
            with: request, options: TaskOptions(id: nil, isKept: false), completionHandler: nil)
        #expect(try first.store.transfers.map(\.id) == [task.id, stored[0].id])
        unkept.cancel()
        await first.close()
        let second = fixture.manager(ScriptedEngine())
        #expect(second.tasks.map(\.id) == [stored[0].id])
        await second.close()
    }

    @Test("The second opener of a session hears that it is in use, until the first has closed it")
    func theSecondOpenerIsTold() async throws {
        let first = fixture.manager(ScriptedEngine())
        let second = fixture.manager(ScriptedEngine())
        #expect(first.store.error == nil)
        #expect(second.store.error?.code == .sessionInUse)
        let error = #expect(throws: SessionError.self) { try second.dataTask(with: request, completionHandler: nil) }
        #expect(error?.code == .sessionInUse)
        #expect(throws: SessionError.self) { try second.store.transfers }
        #expect(second.tasks.isEmpty)
        await first.close()
        let third = fixture.manager(ScriptedEngine())
        #expect(third.store.error == nil)
        await third.close()
    }

    @Test("A copy of a persistent manager is not persistent")
    func copiesAreNotPersistent() throws {
        let manager = fixture.manager(ScriptedEngine())
        let copy = manager.copy()
        _ = try copy.dataTask(with: request, completionHandler: nil)
        #expect(copy.store.error == nil)
        #expect(try manager.store.transfers.isEmpty)
    }

    @Test("A damaged store is moved aside, said so, and the session works")
    func damageIsSurvived() async throws {
        let first = fixture.manager(ScriptedEngine())
        _ = try first.dataTask(with: request, completionHandler: nil)
        await first.close()
        try fixture.folder.write([UInt8](repeating: 7, count: 5_000), to: "state/test.sqlite")
        try #require(chmod(fixture.folder.path + "/state/test.sqlite", 0o600) == 0)
        let second = fixture.manager(ScriptedEngine())
        #expect(second.store.error == nil)
        #expect(second.store.notice?.contains(StoreReasons.restored(0)) == true)
        #expect(second.tasks.isEmpty)
        _ = try second.dataTask(with: request, completionHandler: nil)
        #expect(try second.store.transfers.count == 1)
        await second.close()
    }

    @Test("Cancelling is stored as such, leaving is not")
    func cancellingIsStored() async throws {
        let first = fixture.manager(ScriptedEngine())
        let cancelled = try first.dataTask(with: request, completionHandler: nil)
        let left = try first.dataTask(with: request, completionHandler: nil)
        for task in [cancelled, left] { task.resume() }
        cancelled.cancel()
        _ = await cancelled.completion()
        await first.close()
        #expect(left.state == .completed)
        let second = fixture.manager(ScriptedEngine())
        #expect(try second.store.transfers.map(\.standing) == [.cancelled, .unfinished])
        #expect(second.tasks.map(\.state) == [.running])
        await second.close()
    }

    @Test("Restored tasks wait where the configuration says so, and new ones get other numbers")
    func restoredTasksMayWait() async throws {
        let fixture = try PersistentFixture { $0.resumesRestoredTasks = false }
        let first = fixture.manager(ScriptedEngine())
        let task = try first.dataTask(with: request, completionHandler: nil)
        task.resume()
        await first.close()
        let second = fixture.manager(ScriptedEngine())
        #expect(second.tasks.map(\.state) == [.suspended])
        second.store.resumeRestoredTasks()
        #expect(second.tasks.map(\.state) == [.running])
        #expect(try second.dataTask(with: request, completionHandler: nil).id > task.id)
        await second.close()
    }

    @Test("A request that was sent and must not be repeated is there again, but does not run")
    func unsafeRequestsWait() async throws {
        let first = fixture.manager(ScriptedEngine())
        let post = TransferRequest(url: "http://127.0.0.1/pay", method: "POST", body: .bytes([1]))
        for _ in 0..<2 { _ = try first.uploadTask(with: post, from: post.body, completionHandler: nil) }
        first.uploadTasks.first?.resume()
        await first.close()
        let second = fixture.manager(ScriptedEngine())
        #expect(second.uploadTasks.map(\.state) == [.suspended, .suspended])
        #expect(second.uploadTasks.first?.request.body == .bytes([1]))
        await second.close()
    }

    @Test("B04: an upload whose file is gone at relaunch fails with the reason, and the others go on")
    func uploadsWithoutTheirFileFail() async throws {
        try fixture.folder.write([1], to: "body")
        let first = fixture.manager(ScriptedEngine())
        let put = TransferRequest(url: request.url, method: "PUT", body: .file(path: fixture.folder.path + "/body"))
        let upload = try first.uploadTask(with: put, from: put.body, completionHandler: nil)
        let data = try first.dataTask(with: request, completionHandler: nil)
        for task in [upload, data] { task.resume() }
        await first.close()
        unlink(fixture.folder.path + "/body")
        let errors = EventLog<SessionError?>()
        let finished = EventLog<Bool>()
        var handlers = SessionHandlers()
        handlers.onComplete = { _, error in errors.add(error as? SessionError) }
        handlers.onDidFinishEvents = { _ in finished.add(true) }
        let engine = ScriptedEngine()
        let second = fixture.manager(engine, handlers)
        #expect(await errors.wait(count: 1).first??.code == .bodyUnreadable)
        #expect(finished.entries.isEmpty)
        let other = try #require(second.task(for: data.id))
        engine.complete(other) { $0 = .ok("{}", type: "application/json") }
        _ = await finished.wait(count: 1)
        #expect(errors.entries.count == 2)
        guard case .failed(.bodyUnreadable, _)? = try second.store.transfers.first?.standing else {
            Issue.record("The failure was not stored")
            return
        }
        await second.close()
    }

    @Test("B04: a body is looked for three times more, and other failures are not tried again")
    func bodiesAreLookedForAgain() throws {
        var tries = 0
        #expect(throws: SessionError.self) {
            try SessionManager.attempt(4) { () throws(SessionError) in
                tries += 1
                throw SessionError(.bodyUnreadable, "gone")
            }
        }
        #expect(tries == 4)
        tries = 0
        try SessionManager.attempt(4) { () throws(SessionError) in
            tries += 1
            if tries < 3 { throw SessionError(.bodyUnreadable, "not yet") }
        }
        #expect(tries == 3)
        tries = 0
        #expect(throws: SessionError.self) {
            try SessionManager.attempt(4) { () throws(SessionError) in
                tries += 1
                throw SessionError(.invalidURL, "no")
            }
        }
        #expect(tries == 1)
    }

    @Test("B04: an upload is tried so often when it is created and when it is restored", arguments: [true, false])
    func uploadsAreTriedAgain(attempts: Bool) async throws {
        let fixture = try PersistentFixture { $0.attemptsToRecreateUploadTasks = attempts }
        let limit = attempts ? 4 : 1
        let path = fixture.folder.path + "/body"
        let put = TransferRequest(url: request.url, method: "PUT", body: .file(path: path))
        // A folder can be opened, which can be counted, and is no body.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        var opens = try OpenCount(path: path)
        let first = fixture.manager(ScriptedEngine())
        #expect(throws: SessionError.self) { try first.uploadTask(with: put, from: put.body, completionHandler: nil) }
        #expect(try opens.take() == limit)
        try FileManager.default.removeItem(atPath: path)
        try fixture.folder.write([1], to: "body")
        let upload = try first.uploadTask(with: put, from: put.body, completionHandler: nil)
        await first.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        opens = try OpenCount(path: path)
        let ended = EventLog<TransferID>()
        var handlers = SessionHandlers()
        handlers.onComplete = { task, _ in ended.add(task.id) }
        let second = fixture.manager(ScriptedEngine(), handlers)
        #expect(await ended.wait(count: 1) == [upload.id])
        #expect(try opens.take() == limit)
        await second.close()
    }

    /// Counts how often a folder is opened.
    private struct OpenCount: ~Copyable {
        private let descriptor: Int32

        init(path: String) throws {
            descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
            // With the closing in between no two events are alike, which would be told as one.
            let watch = inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_CLOSE_NOWRITE))
            try #require(descriptor >= 0 && watch >= 0)
        }

        deinit { close(descriptor) }

        /// How often since the last time.
        mutating func take() throws -> Int {
            var count = 0
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let length = read(descriptor, &buffer, buffer.count)
                guard length > 0 else { return count }
                buffer.withUnsafeBytes { bytes in
                    var offset = 0
                    while offset < length {
                        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                        if event.mask & UInt32(IN_OPEN) != 0 { count += 1 }
                        offset += MemoryLayout<inotify_event>.size + Int(event.len)
                    }
                }
            }
        }
    }

    @Test("B05: only uploads of a persistent session that asks for it are tried again")
    func whoIsTriedAgain() {
        var configuration = SessionConfiguration()
        #expect(!configuration.attemptsToRecreateUploadTasks)
        let limits = [(nil, false), (nil, true), ("s", false), ("s", true)].flatMap { identifier, attempts in
            configuration.identifier = identifier
            configuration.attemptsToRecreateUploadTasks = attempts
            return TransferKind.allCases.map { SessionManager.attemptLimit(for: $0, configuration) }
        }
        let last = TransferKind.allCases.map { $0 == .upload ? 4 : 1 }
        #expect(limits == Array(repeating: 1, count: 9) + last)
    }

    @Test("A body that cannot be kept is refused, one from a stream runs without being kept")
    func bodiesThatCannotBeKept() async throws {
        let manager = fixture.manager(ScriptedEngine())
        var big = TransferRequest(url: request.url, method: "PUT")
        big.body = .bytes([UInt8](repeating: 0, count: 1 << 20 + 1))
        let error = #expect(throws: SessionError.self) {
            try manager.uploadTask(with: big, from: big.body, completionHandler: nil)
        }
        #expect(error?.code == .invalidRequest)
        #expect(manager.tasks.isEmpty)
        let stream = TransferRequest(url: request.url, method: "PUT", body: .descriptor(0))
        let task = try manager.uploadTask(with: stream, from: stream.body, completionHandler: nil)
        task.cancel()
        _ = await task.completion()
        #expect(try manager.store.transfers.isEmpty)
        await manager.close()
    }

    @Test("A session that was ended before its first events came is not made again for them")
    func endedAtOnce() async throws {
        let engines = EventLog<ScriptedEngine>()
        for _ in 0..<20 {
            let fixture = try PersistentFixture()
            let manager = SessionManager(configuration: fixture.configuration) { _ in
                let engine = ScriptedEngine()
                engines.add(engine)
                return engine
            }
            manager.invalidate(cancellingTasks: true, resettingSession: true)
            await ManagerFixture.settle(manager)
        }
        #expect(engines.entries.count == 20)
    }

    @Test("A session that replaces another goes on with its store")
    func replacementsKeepTheStore() async throws {
        let engines = EventLog<ScriptedEngine>()
        let manager = SessionManager(configuration: fixture.configuration) { _ in
            let engine = ScriptedEngine()
            engines.add(engine)
            return engine
        }
        let first = try manager.dataTask(with: request, completionHandler: nil)
        manager.invalidate(cancellingTasks: true, resettingSession: true)
        let second = try manager.dataTask(with: request, completionHandler: nil)
        _ = await first.completion()
        #expect(engines.entries.count == 2)
        #expect(manager.store.error == nil)
        #expect(try manager.store.transfers.map(\.standing) == [.cancelled, .unfinished])
        #expect(second.session !== first.session)
        await manager.close()
        await ManagerFixture.settle(manager)
        let later = fixture.manager(ScriptedEngine())
        #expect(later.tasks.map(\.id) == [second.id])
        await later.close()
    }

    @Test("A manager that is let go frees its session, with every task as it was")
    func lettingGoFreesTheSession() async throws {
        var ids: [TransferID] = []
        weak var gone: SessionManager?
        do {
            let manager = fixture.manager(ScriptedEngine())
            gone = manager
            for _ in 0..<3 { ids.append(try manager.dataTask(with: request, completionHandler: nil).id) }
            manager.store.setPosition(0, of: ids[2])
        }
        // Whoever is just telling it that nothing was left holds it for that long.
        while gone != nil { await Task.yield() }
        var next = fixture.manager(ScriptedEngine())
        while next.store.error?.code == .sessionInUse { next = fixture.manager(ScriptedEngine()) }
        #expect(try next.store.transfers.map(\.id) == [ids[2], ids[0], ids[1]])
        #expect(next.tasks.map(\.id) == ids)
        await next.close()
    }
}
