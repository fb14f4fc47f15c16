import Testing

@testable import Dashboard
@testable import netdash

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
        row.body = [1, 2, 3]
        row.dropBody()
        #expect(row.currentDetails().bodyWasDropped)
        #expect(row.currentDetails().body.lines.isEmpty)
        var model = Model()
        model.details.watchedID = 1
        model.details.facts = row.currentDetails()
        let snapshot = RowSnapshot(id: 1, kind: .data, name: "a", url: "http://a/")
        let lines = DetailsContent(model: model, row: snapshot).lines(of: .body).map(\.text)
        #expect(lines == ["The body gave way to newer ones; r sends the request again"])
    }
}
