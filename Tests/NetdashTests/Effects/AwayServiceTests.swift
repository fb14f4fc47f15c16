import Dashboard
import ServiceWire
import SessionSupport
import Testing

@testable import TransferService
@testable import netdash

/// What a window says about a service that is gone, and about the next one.
@Suite("Sentences about a service that is away", .timeLimit(.minutes(1)))
struct AwayServiceTests {
    private static func toasts(_ mailbox: Mailbox<Message>) -> [SafeText] {
        mailbox.drain().compactMap { if case .toast(let text, _) = $0 { text } else { nil } }
    }

    @Test("What the next service lacks is the last sentence, whether it answers before or after that is known")
    func lack() throws {
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        publisher.show(.lost("gone"))
        publisher.tell(lack: "without --rpc")
        publisher.show(.restarted)
        #expect(Self.toasts(mailbox) == ["gone", EffectToasts.reconnected, "without --rpc"])
        publisher.show(.stopped)
        publisher.show(.restarted)
        publisher.tell(lack: "without --log")
        #expect(Self.toasts(mailbox).suffix(2) == [EffectToasts.reconnected, "without --log"])
    }

    @Test("The advice names a session that is not the usual one")
    func advice() {
        #expect(ControlLines.command("add", "default") == "netdash add")
        #expect(ControlLines.noService("work").string.hasSuffix(": netdash serve --session work"))
        // It has to be read in a window of 80 columns, behind a mark.
        #expect(EffectToasts.serviceLost("Connection to the service lost").string.count <= 76)
    }
}
