import Testing

@testable import SessionCore

/// Which of the sockets that libcurl watches carries an attempt's bytes.
@Suite("The socket of an attempt")
struct AttemptSocketTests {
    @Test(
        "The loser of two addresses that were tried at once is not the attempt's socket", arguments: [[3, 4], [4, 3]])
    func twoAddresses(order: [Int32]) {
        var socket = AttemptSocket()
        for number in order { socket.watch(number) }
        socket.unwatch(4)
        #expect(socket.current == 3)
    }

    @Test("A paused connection keeps its socket, also after an earlier one was closed")
    func paused() {
        var socket = AttemptSocket()
        #expect(socket.current == nil)
        socket.watch(3)
        socket.unwatch(3)
        #expect(socket.current == 3)
        socket.watch(5)
        socket.unwatch(5)
        #expect(socket.current == 5)
        socket.watch(5)
        #expect(socket.current == 5)
    }

    @Test("Of several that are watched the latest is left when the one before it goes", arguments: [1, 2])
    func several(rounds: Int) {
        var socket = AttemptSocket()
        for _ in 0..<rounds { for number: Int32 in [3, 4, 5, 3] { socket.watch(number) } }
        socket.unwatch(3)
        #expect(socket.current == 5)
        socket.unwatch(4)
        #expect(socket.current == 5)
        socket.unwatch(5)
        #expect(socket.current == 5)
    }
}
