/// The sizes of the buffers for bytes in transit, by the number of running transfers.
struct BufferSizes: Sendable, Equatable {
    /// Bytes gathered before a write where memory allows; larger buffers were measured to gain nothing.
    static let full = 256 << 10
    /// Above this many transfers each gets the smallest buffers.
    private static let crowd = 512
    /// Up to this many transfers each gets the largest buffers.
    private static let few = 16

    /// Bytes that libcurl receives at once.
    ///
    /// libcurl allocates one byte more, which at a power of two would waste a quarter of a small buffer. With 4 KiB a
    /// thousand slow transfers took 12 MiB less and nearly twice the CPU time.
    let received: Int

    /// Bytes that a download gathers before a write; at 0 each chunk is written as it comes.
    ///
    /// The same limit applies while the partial file is being created, and what exceeds it waits in the kernel:
    /// creating a thousand takes a second, and what servers send at once, 117 KiB each, was most of the memory of a
    /// thousand downloads. A thousand slow ones had 60 KiB each in their buffers, most of their memory.
    let gathered: Int

    /// Milliseconds that bytes stay in the buffer of a slow download; short when many run, so that they need little
    /// memory and a crash loses little.
    ///
    /// A fast download fills its buffer sooner. With a second for all, 400 downloads at 100 KB/s took 170 KiB each.
    let age: Int64

    /// - Parameter allowed: transfers that one host may have at once. The first ones of a crowd get their slots before
    ///   the others exist: of a thousand slow ones, 82 had kept 5.7 MiB in buffers sized for a few fast ones.
    init(running: Int, allowed: Int = 0) {
        let running = allowed > Self.crowd ? max(running, Self.few + 1) : running
        received =
            switch running {
            case ...Self.few: 256 << 10
            case ...128: 32 << 10
            default: (16 << 10) - 1
            }
        gathered =
            switch running {
            case ...64: Self.full
            case ...128: 64 << 10
            case ...Self.crowd: 16 << 10
            default: 0
            }
        age = running > 64 ? 250 : 1_000
    }
}
