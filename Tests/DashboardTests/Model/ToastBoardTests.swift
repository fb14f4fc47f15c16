import Testing

@testable import Dashboard

@Suite("Toasts")
struct ToastBoardTests {
    @Test("A transfer's failure follows the answer to the user, and covers any other toast, also where it is repeated")
    func answers() {
        var board = ToastBoard()
        func fail(_ name: SafeText, at time: Int64) {
            board.show(name, isError: true, duration: Toast.errorDuration, now: time, logged: nil, about: 1)
        }
        board.show("Paused", isError: false, duration: Toast.duration, now: 0, logged: nil)
        fail("first failed", at: 1)
        #expect(board.current?.text == "first failed")
        board.show("Changed 2 tasks", isError: false, isAnswer: true, duration: Toast.duration, now: 2, logged: nil)
        for time in [3, 4] { fail("first failed", at: Int64(time)) }
        fail("second failed", at: 5)
        #expect(board.current?.text == "Changed 2 tasks")
        board.expire(now: 2 + Toast.duration)
        #expect(board.current?.text == "second failed")
        board.expire(now: 4 + Toast.errorDuration)
        #expect(board.toasts.map(\.text) == ["second failed"])
        // An error that answers the user is none of a transfer.
        board.show("Changed 3 tasks", isError: false, isAnswer: true, duration: Toast.duration, now: 9, logged: nil)
        board.show("No such folder", isError: true, duration: Toast.errorDuration, now: 10, logged: nil)
        #expect(board.current?.text == "No such folder")
    }
}
