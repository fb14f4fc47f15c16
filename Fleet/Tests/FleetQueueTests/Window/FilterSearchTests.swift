import Testing
import TransferService

@testable import FleetQueue
@testable import FleetWindow

/// Filters for which the queue has to be searched.
@Suite("Searches for filters", needsServer, .timeLimit(.minutes(10)))
struct FilterSearchTests {
    private let test: TestQueue
    private let service: FleetService

    init() throws {
        test = try TestQueue()
        service = try FleetService(try test.address)
    }

    private func matches(_ text: String, by column: RowRequest.Column = .state) throws -> RowMatches {
        var request = RowRequest(limit: 3)
        request.groups = [[RowRequest.Term(.text(text))]]
        request.orders = [RowRequest.Order(column)]
        guard case .matching(let found) = service.answer(.matching(request)) else {
            throw FleetError(.refused, "no answer")
        }
        return found
    }

    @Test("A filter whose search takes long is told as searching, and its rows come with a later page")
    func search() throws {
        try test.open().add(text: "http://h/a\nhttp://h/b")
        let blocker = try test.connect()
        try blocker.run("BEGIN")
        try blocker.run("LOCK TABLE netdash.job IN ACCESS EXCLUSIVE MODE")
        let first = try matches("b")
        #expect(first.rows.isEmpty && first.totals.problem == WindowErrors.searching && first.totals.hasMore)
        try blocker.run("COMMIT")
        try eventually("the rows come") { try matches("b").rows.map(\.name.string) == ["b"] }
        let last = try matches("b")
        #expect(last.totals.problem == nil && last.totals.matching == 1 && !last.totals.hasMore)
    }

    @Test("Of more jobs than are counted the first ones are searched for, in the order of the page")
    func many() throws {
        let count = FilterScan.countLimit + 20
        try test.open().add(text: (0..<count).map { "http://h\($0 % 2)/f\(99_999 - $0)" }.joined(separator: "\n"))
        try eventually("the rows come") { try matches("f", by: .name).rows.count == 3 }
        let found = try matches("f", by: .name)
        #expect(found.rows.map(\.name.string) == (0..<3).map { "f\(100_000 - count + $0)" })
        #expect(found.totals.matching == FilterScan.countLimit && found.totals.hasMore)
        #expect(found.totals.problem == nil)
        // A page behind it has the jobs' latest states.
        try test.connect().run("UPDATE netdash.job SET state = 'paused' WHERE dest = 'f\(100_000 - count)'")
        #expect(try matches("f", by: .name).rows.first?.state == .paused)
    }
}
