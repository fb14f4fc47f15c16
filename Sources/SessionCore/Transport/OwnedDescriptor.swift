import Glibc

/// A descriptor that is closed when nobody holds it any more; a class for the sake of its `deinit`.
final class OwnedDescriptor: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
