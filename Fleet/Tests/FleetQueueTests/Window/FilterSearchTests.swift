import Testing
import TransferService

@testable import FleetQueue
@testable import FleetWindow

/// Filters for which the queue has to be searched.
@Suite("Searches for filters", needsServer, .timeLimit(.minutes(10)))
struct FilterSearchTests {
    @Test("A filter whose search takes long is told as searching, and its rows come with a later page")
    func search() throws {
        let test = try TestQueue()
        try test.open().add(text: "http://h/a\nhttp://h/b")
        let service = try FleetService(try test.address)
        var request = RowRequest(limit: 10)
        request.groups = [[RowRequest.Term(.text("b"))]]
        func matches() throws -> RowMatches {
            guard case .matching(let found) = service.answer(.matching(request)) else {
                throw FleetError(.refused, "no answer")
            }
            return found
        }
        let blocker = try test.connect()
        try blocker.run("BEGIN")
        try blocker.run("LOCK TABLE netdash.job IN ACCESS EXCLUSIVE MODE")
        let first = try matches()
        #expect(first.rows.isEmpty && first.totals.problem == WindowErrors.searching && first.totals.hasMore)
        try blocker.run("COMMIT")
        try eventually("the rows come") { try matches().rows.map(\.name.string) == ["b"] }
        let last = try matches()
        #expect(last.totals.problem == nil && last.totals.matching == 1 && !last.totals.hasMore)
    }
}
