import Foundation
import Glibc
import Testing

@testable import SessionCore

@Suite("Task store", .timeLimit(.minutes(1)))
struct TaskStoreTests {
    /// One transfer per thing that is stored.
    static let table: [StoredTransfer] = {
        var result: [StoredTransfer] = []
        func add(_ change: (inout StoredTransfer) -> Void) {
            result.append(StoreFixture.transfer(UInt64(result.count) + 1, change))
        }
        add { _ in }
        add {
            $0.kind = .data; $0.destination = .memory; $0.wanted = .running; $0.wasStarted = true
        }
        add {
            $0.kind = .upload; $0.destination = .memory; $0.request.body = .file(path: "/tmp/ä b\n.bin")
        }
        add {
            $0.kind = .upload; $0.destination = .memory; $0.request.body = .bytes([0, 1, 255])
        }
        add {
            $0.kind = .upload; $0.destination = .memory; $0.request.body = .bytes([])
        }
        add {
            $0.destination = .staged; $0.partPath = "/tmp/.x.part"; $0.label = "mine: 'quoted'; -- \""
        }
        add {
            $0.destination = .target(
                DownloadTarget(
                    folder: "/tmp", name: .automatic, collision: .overwrite, adoptsPart: false,
                    checksum: Checksum(algorithm: .md5, digest: [UInt8](0..<16))))
        }
        add {
            $0.request.method = "POST"
            $0.request.headers = ["Accept": "a: b", "accept": "", "X-Long": String(repeating: "é", count: 5_000)]
            $0.request.idleTimeout = 2.5
            $0.request.allowsHTTP2 = false
        }
        add {
            $0.standing = .completed; $0.filePath = "/tmp/file"; $0.finishedAt = 1_700_000_001.5
        }
        add {
            $0.standing = .failed(.http, message: ResponseErrors.unexpectedStatus(404)); $0.finishedAt = 2
            $0.startedAt = 1.5; $0.statusCode = 404; $0.failedAttempts = 3
            $0.timings = StoredTransfer.Timings(text: "1200 3400 5600 5700 80000 1234567")
        }
        add {
            $0.standing = .cancelled; $0.needsCredentials = true; $0.annotation = "kept"
        }
        add {
            $0.standing = .finishing(StoredTransfer.FinishingFile(path: "/tmp/f", device: .max, inode: 1 << 63))
        }
        add {
            $0.counts = BodyCounts(
                received: .max, sent: 7, expectedToReceive: 1 << 40, expectedToSend: nil)
        }
        return result
    }()

    @Test("Everything that is stored comes back as it was", arguments: table)
    func everythingComesBack(transfer: StoredTransfer) throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        try store.apply([.add(transfer)])
        #expect(try store.all() == [transfer])
        store.close()
        #expect(try fixture.reopened() == [transfer])
    }

    @Test("Each change changes what it names, and nothing else")
    func changesChangeWhatTheyName() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        var first = StoreFixture.transfer(1)
        let second = StoreFixture.transfer(2)
        try store.apply([.add(first), .add(second)])
        func check(_ change: TaskStoreChange, _ expected: (inout StoredTransfer) -> Void) throws {
            try store.apply([change])
            expected(&first)
            #expect(try store.all() == [first, second], "\(change)")
        }
        try check(.wanted(first.id, .running)) {
            $0.wanted = .running; $0.wasStarted = true
        }
        try check(.wanted(first.id, .paused)) { $0.wanted = .paused }
        for removal in [StoredTransfer.Wanted.removed, .removedWithPart] {
            try check(.waiting([first.id], removal)) { $0.wanted = removal }
            // What its task does in the meantime is no wish of its user.
            for wanted in [StoredTransfer.Wanted.running, .paused] { try check(.wanted(first.id, wanted)) { _ in } }
        }
        try check(.waiting([first.id], .paused)) { $0.wanted = .paused }
        try check(.label(first.id, "film")) { $0.label = "film" }
        for text in ["note", nil] { try check(.annotation(first.id, text)) { $0.annotation = text } }
        try check(.position(first.id, -5)) { $0.position = -5 }
        let counts = BodyCounts(received: 5, sent: 6, expectedToReceive: 7, expectedToSend: 8)
        try check(.progress(first.id, counts)) { $0.counts = counts }
        try check(.parked(first.id, counts, partPath: "/p")) { $0.partPath = "/p" }
        try check(.parked(first.id, counts, partPath: nil)) { _ in }
        try check(.part(first.id, path: "/q")) { $0.partPath = "/q" }
        let file = StoredTransfer.FinishingFile(path: "/f", device: 1, inode: 2)
        try check(.finishing(first.id, file)) { $0.standing = .finishing(file) }
        let end = StoredEnd(
            standing: .completed, counts: counts, partPath: nil, filePath: "/f", finishedAt: 9,
            startedAt: 4, statusCode: 200, failedAttempts: 1,
            timings: StoredTransfer.Timings(text: "0 0 0 1 2 3"))
        try check(.ended(first.id, end)) {
            $0.standing = .completed
            $0.partPath = nil
            $0.filePath = "/f"
            $0.finishedAt = 9
            ($0.startedAt, $0.statusCode, $0.failedAttempts) = (4, 200, 1)
            $0.timings = StoredTransfer.Timings(text: "0 0 0 1 2 3")
        }
        try check(.finishing(first.id, file)) { _ in }
        try check(.add(StoreFixture.transfer(1))) { $0 = StoreFixture.transfer(1) }
        try store.apply([.remove(first.id), .progress(first.id, counts), .ended(first.id, end)])
        #expect(try store.all() == [second])
        #expect(try store.database.integer("SELECT count(*) FROM progress") == 0)
    }

    @Test("Opening gives what has no end, in the user's order, and the highest number ever used")
    func openingGivesTheUnfinished() throws {
        let fixture = try StoreFixture()
        let (store, empty) = try fixture.open()
        #expect(empty.unfinished.isEmpty && empty.highestID == 0 && empty.notice == nil)
        try store.apply(Self.table.map { .add($0) } + [.position(TransferID(rawValue: 2), 0)])
        try store.apply([.remove(TransferID(rawValue: 13))])
        store.close()
        let (second, opening) = try fixture.open()
        defer { second.close() }
        #expect(opening.unfinished.map(\.id.rawValue) == [2, 1, 3, 4, 5, 6, 7, 8, 12])
        #expect(opening.highestID == 13)
    }

    @Test("A transaction that fails leaves nothing behind")
    func aFailedTransactionLeavesNothing() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        defer { store.close() }
        #expect(throws: SQLiteFailure.self) {
            try store.database.transaction { () throws(SQLiteFailure) in
                try store.statements.apply([.add(StoreFixture.transfer(1))])
                try store.database.execute("INSERT INTO nowhere VALUES (1)")
            }
        }
        #expect(try store.all().isEmpty)
        try store.apply([.add(StoreFixture.transfer(2))])
        #expect(try store.all().count == 1)
    }

    @Test("A file of another version is left alone, and said so", arguments: [TaskStoreSchema.version + 1, 99, -1])
    func versionsAreRespected(version: Int64) throws {
        let fixture = try StoreFixture()
        let store = try fixture.open().store
        try store.apply([.add(StoreFixture.transfer(1))])
        try store.database.execute("PRAGMA user_version=\(version)")
        store.close()
        try fixture.removeLock()
        let error = #expect(throws: SessionError.self) { try fixture.open() }
        #expect(error?.code == .storage && error?.message.contains(StoreReasons.otherVersion) == true)
        #expect(try fixture.names() == ["test.lock", "test.sqlite"])
        let database = try SQLiteDatabase(path: fixture.database)
        #expect(try database.integer("PRAGMA user_version") == version)
        #expect(try database.integer("SELECT count(*) FROM transfers") == 1)
        database.close()
    }

    @Test("A file of another program is moved aside")
    func foreignFiles() throws {
        let other = try StoreFixture()
        let store = try other.open().store
        #expect(try store.database.integer("PRAGMA application_id") == TaskStoreSchema.applicationID)
        try store.database.execute("PRAGMA application_id=77")
        store.close()
        try other.removeLock()
        let (fresh, opening) = try other.open()
        fresh.close()
        #expect(opening.notice?.contains(StoreReasons.otherFile) == true)
        #expect(try other.names().contains { $0.hasPrefix("test.sqlite.corrupt-") })
    }

    @Test("How an upload goes on is stored, and where it was begun unless that is a secret")
    func uploads() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        let content = UploadContent(length: 1_000, modified: 1_700_000_000_000_000_001)
        let location = UploadLocation(style: .tus, url: "https://h/files/abc", content: content)
        let secret = UploadLocation(style: .draft, url: "https://h/files/abc?token=hush", content: content)
        let transfers = [1, 2, 3].map { number in
            StoreFixture.transfer(number) { stored in
                if number < 3 { stored.request.uploadResumption = .tus }
            }
        }
        try store.apply(transfers.map { .add($0) })
        try store.apply([
            .upload(transfers[0].id, UploadPlan(.tus, location: location).storedText),
            .upload(transfers[1].id, UploadPlan(.tus, location: secret).storedText),
        ])
        #expect(
            try store.database.texts("SELECT group_concat(upload, '|') FROM transfers").first?.contains("hush") == false
        )
        store.close()
        let found = try fixture.reopened()
        #expect(found.map(\.request.uploadResumption) == [.tus, .tus, .off])
        #expect(found.map(\.request.uploadLocation) == [location, nil, nil])
        #expect(found[0].canResumeUnattended)
    }

    @Test(
        "The upload's URL is known until the upload is complete, and an error's response completes none",
        arguments: [(200, false), (204, false), (304, true), (403, true), (503, true)])
    func uploadBehindError(status: Int, isKnown: Bool) {
        let locations = UploadLocations()
        let content = UploadContent(length: 1_000, modified: 1)
        let begun = UploadLocation(style: .tus, url: "https://h/files/abc", content: content)
        var transfer = StoreFixture.transfer(1) { $0.request.uploadResumption = .tus }
        locations.note(begun, of: transfer.id, transfer.request)
        let end = StoredEnd(
            standing: .completed, counts: BodyCounts(), finishedAt: 1, startedAt: nil, statusCode: status)
        _ = locations.complete(.ended(transfer.id, end))
        locations.complete(&transfer.request, of: transfer.id)
        #expect(transfer.request.uploadLocation == (isKnown ? begun : nil))
    }

    @Test("What is wanted of many that wait is one change, which starts none of them and adds none")
    func waiting() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        let ids = (1...3).map { TransferID(rawValue: $0) }
        try store.apply((1...3).map { .add(StoreFixture.transfer($0)) })
        try store.apply([.waiting(ids, .running), .waiting(ids.suffix(2) + [TransferID(rawValue: 9)], .paused)])
        #expect(try store.all().map(\.wanted) == [.running, .paused, .paused])
        #expect(try store.all().allSatisfy { !$0.wasStarted })
        store.close()
    }

    @Test("Mirrors, connections and what else a target says are stored, but no mirror whose URL holds a secret")
    func targets() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        var target = DownloadTarget(folder: "/srv", name: .fixed("f"), keepsRemoteTime: true, comparesOverlap: true)
        target.segmentation = Segmentation(connections: .exactly(5), minimumSegment: 2 << 20)
        target.mirrors = Mirrors(urls: ["https://m/f?a=b", "https://m/f?token=hush", "http://u:hush@n/f"], length: 9)
        let plain = DownloadTarget(folder: "/srv", segmentation: Segmentation(minimumSegment: 70_000))
        for (number, target) in [target, plain].enumerated() {
            let stored = try StoredTransfer(
                storing: TransferRequest(url: "https://h/f"), id: TransferID(rawValue: UInt64(number + 1)),
                kind: .download, destination: .target(target), createdAt: 1)
            try store.apply([.add(stored)])
        }
        let kept = try store.database.texts("SELECT group_concat(options) FROM transfers").joined()
        #expect(!kept.contains("hush"))
        // What means nothing is passed over.
        let strange = "json_insert(options, '$.mirrors.urls[#]', 'ftp://h/f', '$.new', 1)"
        try store.database.execute("UPDATE transfers SET options=\(strange) WHERE id=1")
        try store.database.execute(StoreFixture.seal)
        store.close()
        target.mirrors?.urls.removeLast(2)
        #expect(try fixture.reopened().map(\.destination) == [.target(target), .target(plain)])
    }

    @Test(
        "A row that no task can have made is left out and counted, whether its digest is right or not",
        arguments: [
            "name='../../etc/x'", "name='..'", "name=''", "url='file:///etc/passwd'", "url='http://h/\nX: y'",
            "url='http://h/' || hex(zeroblob(1000000))", "created_at=9e999", "created_at=-1", "finished_at=-9e999",
            "failed_attempts=-1", "folder='/a' || char(0) || 'b'", "options='{\"collision\":\"x\"}'", "options='['",
            "checksum='md5:00'", "kind='odd'",
        ])
    func nonsense(change: String) throws {
        let fixture = try StoreFixture()
        var (store, _) = try fixture.open()
        let transfers = [StoreFixture.transfer(1), StoreFixture.transfer(2)]
        try store.apply(transfers.map { .add($0) })
        try store.database.execute("UPDATE transfers SET \(change) WHERE id=1")
        if !change.hasPrefix("url") { try store.database.execute(StoreFixture.seal) }
        store.close()
        let opening: StoreOpening
        (store, opening) = try fixture.open()
        defer { store.close() }
        #expect(opening.unfinished == [transfers[1]])
        #expect(opening.notice?.contains(StoreReasons.restored(1, lost: [StoreReasons.lostRows(1)])) == true)
    }

    @Test("The settings that durability and privacy rest on are in force")
    func settingsAreInForce() throws {
        let (store, _) = try StoreFixture().open()
        defer { store.close() }
        for (name, value) in [
            ("synchronous", 2), ("secure_delete", 1), ("busy_timeout", 5_000),
            ("user_version", 1),
        ] {
            #expect(try store.database.integer("PRAGMA \(name)") == Int64(value), "\(name)")
        }
        #expect(try store.database.texts("PRAGMA journal_mode") == ["wal"])
    }

    @Test("Beyond a number the transfers that were completed longest ago leave the store, and nothing else does")
    func completedLimit() throws {
        let fixture = try closedStore(of: 9) { id, transfer in
            guard id > 2 else { return }
            // The later numbers ended earlier.
            (transfer.standing, transfer.finishedAt) = (id == 3 ? .cancelled : .completed, 2_000_000_000 - Double(id))
            transfer.counts.received = 5
        }
        for (limit, kept) in [(nil, 1...9), (6, 1...9), (4, 1...7), (0, 1...3)] as [(Int?, ClosedRange<Int>)] {
            let (again, opening) = try TaskStore.open(
                identifier: fixture.identifier, folder: fixture.path, limits: TaskStore.Limits(completed: limit))
            #expect(try again.all().map(\.id) == kept.map { TransferID(rawValue: UInt64($0)) })
            let progress = try again.database.integer("SELECT count(*) FROM progress") ?? 0
            #expect(progress == kept.count - 2)
            #expect(opening.unfinished.count == 2 && opening.highestID == 9 && opening.notice == nil)
            again.close()
        }
    }

    @Test("Beyond a number the transfers leave that failed longest ago, but for those that somebody can go on with")
    func failedLimit() throws {
        let fixture = try closedStore(of: 9) { id, transfer in
            guard id > 1 else { return }
            transfer.standing =
                id == 2 ? .completed : id % 2 == 0 ? .cancelled : .failed(.connectionRefused, message: "refused")
            transfer.finishedAt = 2_000_000_000 - Double(id)
            if id == 9 { transfer.partPath = "/tmp/.f.0a1b2c3d.part" }
            if id == 8 { transfer.request.uploadResumption = .tus }
        }
        for (limit, kept) in [(nil, Array(1...9)), (5, Array(1...9)), (2, [1, 2, 3, 4, 8, 9]), (0, [1, 2, 8, 9])] {
            let (again, _) = try TaskStore.open(
                identifier: fixture.identifier, folder: fixture.path, limits: TaskStore.Limits(failed: limit))
            #expect(
                try again.all().map(\.id) == kept.map { TransferID(rawValue: UInt64($0)) },
                "\(String(describing: limit))")
            again.close()
        }
    }

    /// A store of so many transfers, numbered from 1, that nobody has open.
    private func closedStore(of count: Int, _ change: (Int, inout StoredTransfer) -> Void) throws -> StoreFixture {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        defer { store.close() }
        try store.apply((1...count).map { id in .add(StoreFixture.transfer(UInt64(id)) { change(id, &$0) }) })
        return fixture
    }

    @Test("What opening has read is read again once something has changed")
    func readOnce() throws {
        let fixture = try closedStore(of: 4) { id, transfer in
            if id % 2 == 0 { (transfer.standing, transfer.finishedAt) = (.completed, 2_000_000_000) }
        }
        for changesFirst in [false, true] {
            let (store, opening) = try fixture.open()
            defer { store.close() }
            let unfinished = opening.unfinished.map(\.id.rawValue)
            #expect(unfinished == [1, 3])
            let label = changesFirst ? "later" : nil
            if changesFirst { try store.apply([.label(TransferID(rawValue: 3), "later")]) }
            for _ in 0..<2 {
                let all = try store.all()
                #expect(all.map(\.id.rawValue) == [1, 2, 3, 4])
                #expect(all[2].label == label)
            }
        }
    }

    @Test("Twenty thousand transfers are added in one transaction and are all there again, in order")
    func manyTransfers() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        try store.apply((1...20_000).map { TaskStoreChange.add(StoreFixture.transfer(UInt64($0))) })
        store.close()
        let (again, opening) = try fixture.open()
        defer { again.close() }
        #expect(opening.unfinished.map(\.id) == (1...20_000).map { TransferID(rawValue: $0) })
    }
}
