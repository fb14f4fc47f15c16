import Support

/// The reading end of a body that another thread writes, and why that thread gave up.
///
/// A pipe ends in the same way whether everything was written or not, so the reason is left here before the writer is
/// let go. A class because the two threads share it.
final class PipedBody: Sendable {
    private let reader: OwnedDescriptor
    private let reason = Locked<SessionError?>(nil)

    init(_ reader: OwnedDescriptor) {
        self.reader = reader
    }

    var descriptor: Int32 { reader.descriptor }

    /// Why the body ended before its end; nil while it has not, and for one that is whole.
    var failure: SessionError? { reason.withLock { $0 } }

    /// Says that no more bytes come because of an error.
    func fail(_ error: SessionError) { reason.withLock { $0 = $0 ?? error } }
}
