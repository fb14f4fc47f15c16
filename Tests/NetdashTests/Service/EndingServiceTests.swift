import Glibc
import SessionSupport
import Testing

@testable import ServiceWire

/// A service that was killed accepts connections until the last of its threads has ended.
@Suite("A service in its last moment", .timeLimit(.minutes(1)))
struct EndingServiceTests {
    @Test("A service that ends before it greets is none, so that an addition starts another")
    func killed() throws {
        let folder = try ServiceListenerTests.Folder()
        let listening = try folder.socket.listen()
        defer { Glibc.close(listening.lock) }
        try SystemThread.detach(name: "ending") {
            Glibc.close(accept(listening.descriptor, nil, nil))
            Glibc.close(listening.descriptor)
        }
        #expect(try RemoteService.connect(to: folder.socket, program: "1.0") == nil)
    }
}
