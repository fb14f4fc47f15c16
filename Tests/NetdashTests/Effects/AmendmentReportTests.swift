import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("The sentence about a change of several tasks")
struct AmendmentReportTests {
    private func refusals(_ reasons: SafeText...) -> [CommandReply.Refusal] {
        reasons.enumerated().map { CommandReply.Refusal(id: UInt64($0.offset), reason: $0.element) }
    }

    private func said(_ added: [UInt64], _ refusals: [CommandReply.Refusal]) -> [Message] {
        AmendmentReport.messages(CommandReply(added: added, refusals: refusals))
    }

    @Test("It counts the changed tasks, and the others by their reasons, the most frequent first")
    func sentences() {
        #expect(said([], []).isEmpty)
        #expect(said([1, 2], []) == [.toast("Changed 2 tasks", isError: false)])
        #expect(
            said([7], refusals("done", "set so already", "set so already"))
                == [.toast("Changed 1 of 4 tasks · 2 not: set so already · 1 not: done", isError: false)])
        #expect(said([], refusals("done")) == [.toast("Changed 0 of 1 task · 1 not: done", isError: true)])
        #expect(
            said([1], refusals("a", "b", "c", "d", "d"))
                == [.toast("Changed 1 of 6 tasks · 2 not: d · 1 not: a · 1 not: b · 1 not", isError: false)])
    }
}
