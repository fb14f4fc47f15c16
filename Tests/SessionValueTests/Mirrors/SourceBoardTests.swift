import Testing

@testable import SessionCore

/// Which source may bring what, and who takes the place of one that fails.
@Suite("The board of sources")
struct SourceBoardTests {
    private func board(_ mirrors: Int = 2) -> SourceBoard {
        SourceBoard("http://a/f", Mirrors(urls: (0..<mirrors).map { "http://m\($0)/f" }))
    }

    private func proven(_ board: inout SourceBoard, _ index: Int) {
        board.prove(
            index, StoredMetadata(url: "u", finalURL: "u", method: "GET", status: 200).with { $0.entityTag = "\"1\"" })
    }

    @Test("The URL itself comes first, and each URL counts once")
    func order() {
        let board = SourceBoard("http://a/f", Mirrors(urls: ["http://b/f", "http://a/f", "http://b/f", "http://c/f"]))
        #expect(board.sources.map(\.url) == ["http://a/f", "http://b/f", "http://c/f"])
    }

    @Test("More mirrors than the most are left out")
    func limit() { #expect(board(100).sources.count == Mirrors.limit + 1) }

    @Test("When the first fails the next takes its place, each once, and then it is waited")
    func turns() {
        var board = board()
        board.began()
        let turns = (0..<4).map { _ in board.leadFailed(passes: true) }
        #expect(
            turns == [.next(1, wholly: false), .next(2, wholly: false), .wait, .next(0, wholly: false)],
            "and then a new round begins")
    }

    @Test("Bytes let those that failed be asked again")
    func progress() {
        var board = board(1)
        board.began()
        let first = board.leadFailed(passes: true)
        board.progressed()
        let second = board.leadFailed(passes: true)
        #expect([first, second] == [.next(1, wholly: false), .next(0, wholly: false)])
    }

    @Test("When all are dropped it is over")
    func over() {
        var board = board(1)
        let first = board.drop(0, "404", passes: false)
        let turn = board.leadFailed(passes: false)
        let second = board.drop(1, "404", passes: false)
        let again = board.drop(1, "again", passes: false)
        let last = board.leadFailed(passes: false)
        #expect([first, second, again] == [true, true, false])
        #expect([turn, last] == [.next(1, wholly: false), .over])
    }

    @Test("A source that was dropped for what passes is asked again when nobody else is left")
    func again() {
        var board = board(1)
        board.began()
        proven(&board, 1)
        _ = board.drop(1, "It hung up", passes: true)
        _ = board.drop(0, "404", passes: false)
        let turn = board.leadFailed(passes: false)
        #expect(turn == .next(1, wholly: false))
        #expect(!board.isProven(1), "and has to be compared again")
    }

    @Test("A proven source goes before one that is not")
    func provenFirst() {
        var board = board()
        board.began()
        proven(&board, 2)
        let turn = board.leadFailed(passes: true)
        #expect(turn == .next(2, wholly: false))
    }

    @Test("A source that sends nothing but the whole comes last")
    func wholly() {
        var board = board()
        board.began()
        board[1].lacksRanges = true
        _ = board.drop(1, "whole", passes: true)
        var turns = [board.leadFailed(passes: true)]
        turns.append(board.leadFailed(passes: true))
        _ = board.drop(0, "404", passes: false)
        _ = board.drop(2, "404", passes: false)
        turns.append(board.leadFailed(passes: false))
        #expect(turns == [.next(2, wholly: false), .wait, .next(1, wholly: true)])
    }

    @Test("A further connection goes to a source that has none, then to the fastest")
    func best() {
        typealias Load = SourceBoard.Load
        var board = board()
        board.began()
        #expect(board.best([Load(connections: 1), Load(), Load()]) == 0, "nothing else is proven")
        proven(&board, 1)
        #expect(board.best([Load(connections: 1), Load(), Load()]) == 1)
        let loads = [Load(connections: 2, speed: 200), Load(connections: 1, speed: 400), Load()]
        board.measured(loads)
        #expect(board.best(loads) == 1)
        #expect(board.best([loads[0], Load(connections: 1, speed: 400, room: 0), Load()]) == 0)
        board[1].cap = 1
        #expect(board.best(loads) == 0)
    }

    @Test("Sources that are about as fast share the connections")
    func equals() {
        typealias Load = SourceBoard.Load
        var board = board(1)
        board.began()
        proven(&board, 1)
        let loads = [Load(connections: 3, speed: 330), Load(connections: 1, speed: 90)]
        board.measured(loads)
        #expect(board.best(loads) == 1)
        board.measured([loads[0], Load(connections: 1, speed: 80)])
        #expect(board.best(loads) == 0)
    }

    @Test("A slow source gives a connection to one that is twice as fast, and to one that has none")
    func moves() {
        typealias Load = SourceBoard.Load
        var board = board(1)
        board.began()
        proven(&board, 1)
        var loads = [Load(connections: 4, speed: 400), Load()]
        #expect(board.move(loads).map { [$0.from, $0.to] } == [0, 1])
        loads = [Load(connections: 3, speed: 300), Load(connections: 1, speed: 199)]
        board.measured(loads)
        #expect(board.move(loads) == nil)
        loads[1].speed = 200
        board.measured(loads)
        #expect(board.move(loads).map { [$0.from, $0.to] } == [0, 1])
        loads = [Load(connections: 1, speed: 100), loads[1]]
        #expect(board.move(loads) == nil, "the lead stays")
    }

    @Test("Who has the most gives the first connection to a new one")
    func first() {
        typealias Load = SourceBoard.Load
        var board = board()
        board.began()
        for mirror in 1...2 { proven(&board, mirror) }
        let loads = [Load(connections: 3, speed: 300), Load(connections: 1), Load()]
        #expect(board.move(loads).map { [$0.from, $0.to] } == [0, 2])
    }

    @Test("All connections of a slow source go to others, the fast ones and those that nobody has tried")
    func slow() {
        typealias Load = SourceBoard.Load
        var board = board()
        board.began()
        for mirror in 1...2 { proven(&board, mirror) }
        // The lead is alone at its source, and the first mirror has turned out slow.
        var loads = [Load(connections: 1, speed: 2_000), Load(connections: 3, speed: 900), Load()]
        board.measured(loads)
        #expect(board.move(loads) == SourceBoard.Move(from: 1, to: 2, count: 3))
        loads[2] = Load(connections: 1, speed: 2_000)
        board.measured(loads)
        #expect(board.move(loads)?.from == 1)
        loads[0].room = 0
        loads[2].room = 2
        #expect(board.move(loads) == SourceBoard.Move(from: 1, to: 2, count: 2))
        loads[2].room = 0
        #expect(board.move(loads) == nil, "a slow one is better than none")
    }

    @Test("After a wrong whole one source alone brings all of it, and the one that brought it all is out")
    func wrongWhole() {
        var board = board()
        board.began()
        board.isMixed = true
        let mixed = board.combinationWasWrong("wrong")
        #expect(board.unproven.isEmpty)
        board.began()
        let alone = board.combinationWasWrong("wrong")
        #expect([mixed, alone] == [0, 1])
        #expect(board[0].isDropped)
    }

    @Test("A source that serves all of it alone is not replaced by one that joins its bytes")
    func brokenAlone() {
        var board = board()
        board.began()
        board.isMixed = true
        #expect(board.combinationWasWrong("wrong") == 0)
        board.began()
        let once = board.leadFailed(passes: true)
        board.progressed()
        let turns = (0..<3).map { _ in board.leadFailed(passes: true) }
        #expect([once] + turns == [.wait, .wait, .wait, .next(1, wholly: true)])
        board.began()
        _ = board.drop(1, "404", passes: false)
        #expect(board.leadFailed(passes: false) == .next(2, wholly: true))
        _ = board.drop(2, "404", passes: false)
        // It had only broken off.
        #expect(board.leadFailed(passes: false) == .next(0, wholly: true))
        #expect((0..<4).map { _ in board.leadFailed(passes: true) } == [.wait, .wait, .wait, .wait])
        _ = board.drop(0, "404", passes: false)
        #expect(board.leadFailed(passes: false) == .over)
    }

    @Test("A source that had broken off serves all of a file of which the others' bytes were wrong")
    func brokenOffBefore() {
        var board = board()
        board.began()
        _ = board.drop(1, "broke off", passes: true)
        _ = board.drop(2, "404", passes: false)
        #expect(board.combinationWasWrong("wrong") == 1)
        #expect(!board[1].isDropped)
    }

    @Test("A source whose file was another one than the wrong one is asked after all, once")
    func otherThanWrong() {
        var board = board()
        board.began()
        board[1].hasOther = true
        for index in [1, 2] { _ = board.drop(index, "other", passes: false) }
        #expect(board.combinationWasWrong("wrong") == 1)
        board.began()
        #expect(board.combinationWasWrong("wrong") == nil)
    }
}

extension StoredMetadata {
    fileprivate func with(_ change: (inout StoredMetadata) -> Void) -> StoredMetadata {
        var result = self
        change(&result)
        return result
    }
}
