import SessionSupport

/// Waits until every transfer has ended.
package final class EndObserver: TransferObserver {
    package let interest = Interest(showsRows: true, takesCommands: false)
    private let hasEnded = Monitor(false)

    package init() {}

    package func receive(_ notice: TransferNotice) {
        if case .idle = notice { hasEnded.change { $0 = true } }
    }

    package func wait() { hasEnded.wait { $0 ? () : nil } }
}
