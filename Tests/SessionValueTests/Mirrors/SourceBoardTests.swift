import Testing

@testable import SessionCore

/// Which source may bring what, and who takes the place of one that fails.
@Suite("The board of sources")
struct SourceBoardTests {
    private let wait = SourceBoard.Turn.wait(milliseconds: nil)

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
        let turns = (0..<4).map { _ in board.leadFailed(passes: true, now: 0) }
        #expect(
            turns == [.next(1, wholly: false), .next(2, wholly: false), wait, .next(0, wholly: false)],
            "and then a new round begins")
    }

    @Test("Bytes let those that failed be asked again")
    func progress() {
        var board = board(1)
        board.began()
        let first = board.leadFailed(passes: true, now: 0)
        board.progressed(now: 0)
        let second = board.leadFailed(passes: true, now: 0)
        #expect([first, second] == [.next(1, wholly: false), .next(0, wholly: false)])
    }

    @Test("The source that made progress last is asked again first when all have failed")
    func latestProgress() {
        var board = board()
        board.began()
        board.progressed(now: 0)
        let turns = (0..<3).map { _ in board.leadFailed(passes: true, now: 0) }
        #expect(turns == [.next(1, wholly: false), .next(2, wholly: false), wait] && board.lead == 0)
        _ = board.drop(0, "404", passes: false)
        let after = (0..<3).map { _ in board.leadFailed(passes: true, now: 0) }
        #expect(after == [.next(1, wholly: false), .next(2, wholly: false), wait] && board.lead == 2)
    }

    // MARK: - Servers that ask to be left alone

    @Test("A source whose server asks to be left alone is not used before, whatever progress others make")
    func leftAlone() {
        var board = board(1)
        board.began()
        proven(&board, 1)
        #expect(board.leadFailed(passes: true, askedWait: 30_000, now: 0) == .next(1, wholly: false))
        for now in [1_000, 29_999] as [Int64] {
            board.progressed(now: now)
            #expect(board.isBusy(0, now: now) && !board.hasUntried)
            #expect(board.best([.init(), .init(connections: 1)]) == 1)
            #expect(board.leadFailed(passes: true, now: now) == wait && board.lead == 1)
        }
        board.timePassed(29_999)
        #expect(board[0].hasFailed)
        board.timePassed(30_000)
        #expect(!board[0].hasFailed && board.hasUntried && !board.isBusy(0, now: 30_000))
        #expect(board.leadFailed(passes: true, now: 30_000) == .next(0, wholly: false))
    }

    @Test("Where all servers ask to be left alone the one whose time ends first is asked, when it ends")
    func earliest() {
        var board = board()
        board.began()
        let turns = zip([9_000, 4_000, 20_000] as [Int64], [0, 100, 200] as [Int64]).map {
            board.leadFailed(passes: true, askedWait: $0, now: $1)
        }
        #expect(turns == [.next(1, wholly: false), .next(2, wholly: false), .wait(milliseconds: 3_900)])
        #expect(board.lead == 1)
        #expect(board.leadFailed(passes: true, askedWait: 10_000, now: 4_100) == .wait(milliseconds: 4_900))
        #expect(board.lead == 0)
        // Meanwhile the time of another one has ended.
        #expect(board.leadFailed(passes: true, askedWait: 60_000, now: 14_100) == .next(1, wholly: false))
    }

    @Test("Waits that are over before the others have failed begin no round without an end", arguments: [0, 1_000])
    func shortWaits(asked: Int64) {
        var board = board(1)
        board.began()
        let turns = (0..<6).map { board.leadFailed(passes: true, askedWait: asked, now: Int64($0) * 1_500) }
        let counted = turns.count { if case .wait = $0 { true } else { false } }
        #expect(counted == 3, "\(turns)")
    }

    @Test("One that is asked after its time, or sends bytes, is used like any other")
    func servesAgain() {
        var board = board(1)
        board.began()
        proven(&board, 1)
        _ = board.leadFailed(passes: true, askedWait: 9_000, now: 0)
        #expect(board.leadFailed(passes: true, askedWait: 5_000, now: 0) == .wait(milliseconds: 5_000))
        let loads = [SourceBoard.Load(), SourceBoard.Load(connections: 1)]
        #expect(board.lead == 1 && board.best(loads) == 1, "it may get further connections")
        board.progressed(now: 1_000)
        #expect(!board.isBusy(1, now: 1_000) && board.isBusy(0, now: 1_000))
    }

    @Test("One that was dropped and asked to be left alone is waited for where no other source is left")
    func droppedBusy() {
        var board = board(1)
        board.began()
        _ = board.drop(1, "503", passes: true)
        board.leaveAlone(1, until: 5_000)
        #expect(board.leadFailed(passes: true, now: 1_000) == wait && board.lead == 0, "the other one is left")
        _ = board.drop(0, "404", passes: false)
        #expect(board.leadFailed(passes: false, now: 1_000) == .wait(milliseconds: 4_000))
        #expect(board.lead == 1 && !board[1].isDropped)
    }

    @Test("Of sources that serve the file alone the last one's wait is kept, and the others' hold up nothing")
    func busyAlone() {
        var board = board(1)
        board.began()
        board.isMixed = true
        _ = board.combinationWasWrong("wrong")
        #expect(board.leadFailed(passes: true, askedWait: 5_000, now: 0) == wait)
        _ = board.drop(1, "404", passes: false)
        #expect(board.leadFailed(passes: true, askedWait: 5_000, now: 0) == .wait(milliseconds: 5_000))
    }

    // MARK: - Sources that are out

    @Test("When all are dropped it is over")
    func over() {
        var board = board(1)
        let first = board.drop(0, "404", passes: false)
        let turn = board.leadFailed(passes: false, now: 0)
        let second = board.drop(1, "404", passes: false)
        let again = board.drop(1, "again", passes: false)
        let last = board.leadFailed(passes: false, now: 0)
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
        let turn = board.leadFailed(passes: false, now: 0)
        #expect(turn == .next(1, wholly: false))
        #expect(!board.isProven(1), "and has to be compared again")
    }

    @Test("A proven source goes before one that is not")
    func provenFirst() {
        var board = board()
        board.began()
        proven(&board, 2)
        let turn = board.leadFailed(passes: true, now: 0)
        #expect(turn == .next(2, wholly: false))
    }

    @Test("A source that sends nothing but the whole comes last")
    func wholly() {
        var board = board()
        board.began()
        board[1].lacksRanges = true
        _ = board.drop(1, "whole", passes: true)
        var turns = [board.leadFailed(passes: true, now: 0)]
        turns.append(board.leadFailed(passes: true, now: 0))
        _ = board.drop(0, "404", passes: false)
        _ = board.drop(2, "404", passes: false)
        turns.append(board.leadFailed(passes: false, now: 0))
        #expect(turns == [.next(2, wholly: false), wait, .next(1, wholly: true)])
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
        let once = board.leadFailed(passes: true, now: 0)
        board.progressed(now: 0)
        let turns = (0..<3).map { _ in board.leadFailed(passes: true, now: 0) }
        #expect([once] + turns == [wait, wait, wait, .next(1, wholly: true)])
        board.began()
        _ = board.drop(1, "404", passes: false)
        #expect(board.leadFailed(passes: false, now: 0) == .next(2, wholly: true))
        _ = board.drop(2, "404", passes: false)
        // It had only broken off.
        #expect(board.leadFailed(passes: false, now: 0) == .next(0, wholly: true))
        #expect((0..<4).allSatisfy { _ in board.leadFailed(passes: true, now: 0) == wait })
        _ = board.drop(0, "404", passes: false)
        #expect(board.leadFailed(passes: false, now: 0) == .over)
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
