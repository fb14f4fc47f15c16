import Testing

@testable import SessionCore

/// Which of the sockets that libcurl watches carries an attempt's bytes.
@Suite("The socket of an attempt")
struct AttemptSocketTests {
    @Test(
        "The loser of two addresses that were tried at once is not the attempt's socket", arguments: [[3, 4], [4, 3]])
    func twoAddresses(order: [Int32]) {
        var socket = AttemptSocket()
        for number in order { socket.watch(SocketName(number: number)) }
        socket.unwatch(4)
        #expect(socket.current?.number == 3)
    }

    @Test("A paused connection keeps its socket, also after an earlier one was closed")
    func paused() {
        var socket = AttemptSocket()
        #expect(socket.current == nil)
        socket.watch(SocketName(number: 3))
        socket.unwatch(3)
        #expect(socket.current?.number == 3)
        socket.watch(SocketName(number: 5))
        socket.unwatch(5)
        #expect(socket.current?.number == 5)
        socket.watch(SocketName(number: 5))
        #expect(socket.current?.number == 5)
    }

    @Test("Of several that are watched the latest is left when the one before it goes", arguments: [1, 2])
    func several(rounds: Int) {
        var socket = AttemptSocket()
        for _ in 0..<rounds { for number: Int32 in [3, 4, 5, 3] { socket.watch(SocketName(number: number)) } }
        socket.unwatch(3)
        #expect(socket.current?.number == 5)
        socket.unwatch(4)
        #expect(socket.current?.number == 5)
        socket.unwatch(5)
        #expect(socket.current?.number == 5)
    }

    @Test("A socket that was made under the number of a watched one is the attempt's, not the one that is closed")
    func remade() {
        var socket = AttemptSocket()
        socket.made(SocketName(number: 3, birth: 1))
        socket.watch(SocketName(number: 3, birth: 1))
        socket.made(SocketName(number: 3, birth: 2))
        #expect(socket.current == SocketName(number: 3, birth: 2))
        #expect(socket.opened.count == 2)
    }
}
