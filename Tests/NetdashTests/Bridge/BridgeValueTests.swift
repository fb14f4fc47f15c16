import SessionCore
import Testing
import TransferValues

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Values of the bridge")
struct BridgeValueTests {
    @Test("Of an upload that failed no byte counts, unless its server keeps what came")
    func countedUploads() {
        var row = TransferRow(id: 7, job: Job(kind: .upload, url: "http://example.org/"))
        row.run.lastStatus.sent = 2_900_000
        #expect(row.counted.sent == 2_900_000)
        row.run.result = .failed(TransferFailure(kind: "http", category: .ordinary, message: "403"))
        #expect(row.counted.sent == 0 && row.moved == 2_900_000)
        row.run.result = .cancelled
        #expect(row.counted.sent == 0)
        row.run.lastStatus.resumability = .yes
        #expect(row.counted.sent == 2_900_000)
        row.run.result = .completed
        row.run.lastStatus.resumability = .no
        #expect(row.counted.sent == 2_900_000)
    }

    @Test(
        "Only success says that an upload was taken, and a redirect without a target is the end of no task",
        arguments: [
            (101, true, true, true), (200, false, false, false), (300, true, false, false), (302, true, true, false),
            (304, true, false, false), (305, true, false, false), (308, true, true, false), (399, true, false, false),
            (404, true, true, true),
        ])
    func statuses(status: Int, failsUpload: Bool, failsRequest: Bool, failsCommand: Bool) {
        #expect(ResponseHead.isFailure(status, of: .upload) == failsUpload)
        #expect(ResponseHead.isFailure(status, of: .data) == failsRequest)
        #expect(ResponseHead.isFailure(status, of: .data, keepsRedirects: true) == failsCommand)
    }

    @Test("A refusal of the proxy is not blamed on the request's server")
    func proxyRefusal() {
        var head = ResponseHead(statusCode: 407, url: "http://origin.example/file")
        head.reasonPhrase = "Proxy Authentication Required"
        let failure = TransferFailure(head: head)
        #expect(!failure.message.contains("origin.example") && failure.message.contains("--proxy-user"))
        #expect(failure.httpStatus == 407 && failure.kind == "authenticationRequired")
    }

    @Test("A job written as a command is read back as the same job")
    func roundTrip() throws {
        var job = Job(kind: .data, url: "https://a.example/it's?x=1")
        job.method = "PATCH"
        job.headers = ["Content-Type": "text/plain", "Cookie": "a=b; c='d'"]
        job.body = .text("line\n'quoted'")
        // A method of -X stays after redirects.
        job.options = [JobOption.Value(.keepsMethod)]
        #expect(CurlCommandReader.read(CurlCommand.text(of: job))?.job == job)
        var upload = Job(kind: .upload, url: "https://a.example/up")
        upload.body = .file(path: "/tmp/a b")
        #expect(CurlCommandReader.read(CurlCommand.text(of: upload))?.job == upload)
        // curl takes every body for a form; what netdash would send instead has to be said.
        var json = Job(kind: .data, url: "https://a.example/")
        json.body = .text("{}")
        json.method = "POST"
        let read = CurlCommandReader.read(CurlCommand.text(of: json))?.job
        #expect(read?.headers == ["Content-Type": BodyContentType.json])
        // The body of an upload is a PUT, which curl has to be told of a text.
        let put = Job(kind: .upload, url: "https://a.example/", body: .text("{}"))
        #expect(CurlCommandReader.read(CurlCommand.text(of: put))?.job.sentMethod == "PUT")
        #expect(CurlCommand.text(of: Job(kind: .data, url: "http://h/")) == "curl -L 'http://h/'")
        #expect(CurlCommand.text(of: Job(kind: .data, url: "http://[::1]/")) == "curl -L 'http://[::1]/'")
        for url in ["http://h/?a=[1-2]&b={x,y}", "http://h/]", "http://[::1]/[1-2]", "http://[::1]/{a}"] {
            let text = CurlCommand.text(of: Job(kind: .data, url: url))
            #expect(text == "curl -L -g '\(url)'")
            let read = try #require(CurlCommandReader.read(text)).job.url
            #expect(try URLGlob.urls(in: read, label: "") == [url])
            #expect(TransferRequest(url: url).cURLDescription == "curl -v -g '\(url)'")
        }
        json.body = .text("a=1")
        #expect(!CurlCommand.text(of: json).contains("Content-Type"))
        let download = Job(kind: .download, url: "https://a.example/f.iso")
        #expect(CurlCommandReader.read(CurlCommand.text(of: download))?.job == download)
    }

    @Test("A row was added when the rows beside it in its millisecond were")
    func additions() {
        var moments = AdditionTimes()
        #expect(moments.moment(of: 7) == nil)
        for (id, time) in [(3, 100), (4, 100), (5, 100), (8, 120), (9, 130)] as [(UInt64, Int64)] {
            moments.add(id, at: time)
        }
        #expect(([2, 3, 5, 7, 8, 9, 12] as [UInt64]).map(moments.moment) == [nil, 100, 100, 100, 120, 130, 130])
    }

    @Test("The milliseconds of a day are those that the clock shows")
    func timeOfDay() {
        let now = Timestamp.now()
        let parts = now.localClock.split(separator: ":").compactMap { Int64($0) }
        #expect(parts.count == 3)
        #expect(now.millisecondsOfDay / 1000 == parts.reduce(0) { $0 * 60 + $1 })
    }
}

@Suite("Bodies that are kept")
struct BodyShelfTests {
    @Test("The oldest bodies give way when there are too many bytes, the newest stays whatever its size")
    func eviction() {
        var shelf = BodyShelf(limit: 100)
        #expect(shelf.put(1, count: 40).isEmpty)
        #expect(shelf.put(2, count: 60).isEmpty)
        #expect(shelf.put(3, count: 1) == [1])
        #expect(shelf.put(4, count: 500) == [2, 3])
        #expect(shelf.put(5, count: 10) == [4])
    }

    @Test("A row counts once, with the body of its latest run, and not at all without one")
    func counting() {
        var shelf = BodyShelf(limit: 100)
        for _ in 0..<5 { #expect(shelf.put(1, count: 90).isEmpty) }
        #expect(shelf.put(2, count: 10).isEmpty)
        #expect(shelf.put(1, count: 0).isEmpty)
        #expect(shelf.put(3, count: 90).isEmpty)
        shelf.remove(3)
        #expect(shelf.put(4, count: 90).isEmpty)
    }

    @Test("A row whose body was dropped says so, and how to have it again")
    func words() {
        var row = TransferRow(id: 1, job: Job(kind: .data, url: "http://a/"))
        row.record.body = [1, 2, 3]
        row.dropBody()
        #expect(row.currentDetails().bodyWasDropped)
        #expect(row.currentDetails().body.lines.isEmpty)
        var model = Model()
        model.details.watchedID = 1
        model.details.rowDetails = row.currentDetails()
        let snapshot = RowSnapshot(id: 1, kind: .data, name: "a", url: "http://a/")
        let lines = DetailsContent(model: model, row: snapshot).lines(of: .body).map(\.text)
        #expect(lines == [DetailsLines.bodyDropped("r")])
    }
}

@Suite("The order of the queue")
struct QueueOrderTests {
    private func queue(_ ids: UInt64...) -> QueueOrder {
        QueueOrder(ids.enumerated().map { ($1, .init(priority: 0, position: UInt64($0))) })
    }

    /// The order that the changed keys make of rows numbered from one.
    private func order(_ queue: QueueOrder, count: Int) -> [UInt64] {
        var positions = (1...count).map { (id: UInt64($0), position: UInt64($0 - 1)) }
        for (id, key) in queue.changes { positions[Int(id) - 1].position = key.position }
        return positions.sorted { $0.position < $1.position }.map(\.id)
    }

    @Test("Rows change places with their neighbours, and stop one behind the other at the end")
    func moves() {
        var queue = queue(1, 2, 3, 4, 5)
        #expect(queue.changes.isEmpty)
        queue.move([2, 4], towardsFront: true)
        #expect(order(queue, count: 5) == [2, 1, 4, 3, 5])
        queue.move([2, 4], towardsFront: true)
        #expect(order(queue, count: 5) == [2, 4, 1, 3, 5])
        queue.move([2, 4], towardsFront: true)
        #expect(order(queue, count: 5) == [2, 4, 1, 3, 5])
        queue.move([2, 4], towardsFront: false)
        #expect(order(queue, count: 5) == [1, 2, 4, 3, 5])
        queue.move([1, 2, 3, 4, 5], towardsFront: false)
        #expect(order(queue, count: 5) == [1, 2, 4, 3, 5])
    }

    @Test("A row that passes another one takes over its priority too")
    func priorities() {
        var queue = QueueOrder([(1, .init(priority: 0, position: 1)), (2, .init(priority: 2, position: 2))])
        queue.move([1], towardsFront: true)
        #expect(queue.changes.map(\.id) == [1, 2])
        #expect(queue.changes.map(\.key.priority) == [2, 0])
    }

    @Test("An empty queue and one of one row stay as they are")
    func small() {
        var none = QueueOrder([])
        none.move([1], towardsFront: true)
        var one = queue(1)
        one.move([1], towardsFront: false)
        #expect(none.changes.isEmpty && one.changes.isEmpty)
    }
}

@Suite("Types of bodies")
struct BodyContentTypeTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let json = "application/json"

    @Test(
        "A form unless it is JSON, and nothing where there is no body of text",
        arguments: [
            (.data, .text("a=1"), form), (.data, .text(""), form), (.data, .text("{}"), json),
            (.data, .text("\n [1, {\"a\": null}]\n"), json), (.data, .text("{a: 1}"), form), (.data, .text("[1"), form),
            (.data, .text("5"), form), (.data, .text("\"x\""), form), (.data, .text("null"), form),
            (.upload, .text("{}"), json), (.upload, .text("x"), form),
            (.data, .file(path: "/a/B.JSON"), json), (.data, .file(path: "/a.json/b"), form),
            (.data, .standardInput, form), (.data, .none, nil),
            (.upload, .file(path: "a.json"), nil), (.upload, .standardInput, nil), (.download, .none, nil),
        ] as [(Job.Kind, Job.Body, String?)])
    func table(kind: Job.Kind, body: Job.Body, type: String?) {
        var job = Job(kind: kind, url: "http://h/", body: body)
        #expect(BodyContentType.implied(by: job) == type)
        job.headers = ["content-TYPE": "text/x"]
        #expect(BodyContentType.implied(by: job) == nil)
    }
}
