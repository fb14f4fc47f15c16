import Testing

@testable import SessionCore

/// Which socket has a number now, and what is watched on it.
@Suite("A table of sockets")
struct SocketTableTests {
    @Test("A socket that is made under the number of a closed one is another, and what is watched goes over to it")
    func replaced() {
        var table = SocketTable()
        let none = table.made(7)
        #expect(none == nil)
        let first = table.name(of: 7)
        table.watch(7, SocketTable.Interest(writable: true))
        // libcurl has closed it without a word.
        let interest = table.made(7)
        #expect(interest == SocketTable.Interest(writable: true))
        #expect(table.name(of: 7) != first)
        #expect(table.unacknowledged(of: first) == 0)
    }

    @Test("What the peer of a closed socket had not acknowledged is known until the number is another's")
    func closed() {
        var table = SocketTable()
        _ = table.made(3)
        let name = table.name(of: 3)
        table.watch(3, SocketTable.Interest(readable: true))
        #expect(table.unacknowledged(of: name) == nil, "it is open")
        table.closed(3, unacknowledged: 40)
        #expect(table.unacknowledged(of: name) == 40)
        #expect(table.name(of: 3) != name)
        let interest = table.made(3)
        #expect(interest == nil)
        #expect(table.unacknowledged(of: name) == nil)
    }

    @Test("Numbers that are none, or were never seen, have no socket", arguments: [-1, Int32.min, 900])
    func strange(_ number: Int32) {
        var table = SocketTable()
        table.watch(number, nil)
        #expect(table.name(of: number) == SocketName(number: number))
        #expect(table.unacknowledged(of: SocketName(number: number, birth: 4)) == nil)
    }
}
