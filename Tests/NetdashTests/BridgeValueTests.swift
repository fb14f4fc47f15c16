import Testing

@testable import Dashboard
@testable import netdash

@Suite("Values of the bridge")
struct BridgeValueTests {
    @Test("A job written as a command is read back as the same job")
    func roundTrip() throws {
        var job = Job(kind: .data, url: "https://a.example/it's?x=1")
        job.method = "PATCH"
        job.headers = [.init(name: "Content-Type", value: "text/plain"), .init(name: "Cookie", value: "a=b; c='d'")]
        job.body = .text("line\n'quoted'")
        #expect(CurlCommandReader.read(CurlCommand.text(of: job))?.job == job)
        var upload = Job(kind: .upload, url: "https://a.example/up")
        upload.body = .file(path: "/tmp/a b")
        #expect(CurlCommandReader.read(CurlCommand.text(of: upload))?.job == upload)
        // curl takes every body for a form; what netdash would send instead has to be said.
        var json = Job(kind: .data, url: "https://a.example/")
        json.body = .text("{}")
        json.method = "POST"
        let read = CurlCommandReader.read(CurlCommand.text(of: json))?.job
        #expect(read?.headers == [Job.Header(name: "Content-Type", value: BodyContentType.json)])
        json.body = .text("a=1")
        #expect(!CurlCommand.text(of: json).contains("Content-Type"))
        let download = Job(kind: .download, url: "https://a.example/f.iso")
        #expect(CurlCommandReader.read(CurlCommand.text(of: download))?.job == download)
    }

    @Test("A row was added when the rows beside it in its millisecond were")
    func additions() {
        var moments = AdditionMoments()
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
