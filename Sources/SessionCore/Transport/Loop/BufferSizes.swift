/// How much memory each of so many transfers may have for bytes on their way: a value.
struct BufferSizes: Sendable, Equatable {
    /// Bytes gathered before they are written, where there is room.
    ///
    /// Larger buffers were measured to gain nothing.
    static let full = 256 << 10
    /// From more transfers on they are a crowd, and each gets as little as there may be.
    private static let crowd = 512
    /// The most transfers that are few.
    private static let few = 16

    /// Transfers that run, and more than a few where a crowd is allowed.
    let running: Int

    /// - Parameter allowed: transfers that one host may have at once. The first ones of a crowd get their slots before the
    ///   others are there: of a thousand slow ones 82 had kept 5.7 MiB in buffers for a few fast ones.
    init(running: Int, allowed: Int = 0) {
        self.running = allowed > Self.crowd ? max(running, Self.few + 1) : running
    }

    /// Bytes that libcurl receives at once.
    ///
    /// libcurl takes a byte more, which would cost a quarter of the small ones beyond the power of two. With 4 KiB a
    /// thousand slow ones took 12 MiB less and nearly twice the CPU time.
    var received: Int {
        switch running {
        case ...Self.few: 256 << 10
        case ...128: 32 << 10
        default: (16 << 10) - 1
        }
    }

    /// Bytes that a download gathers before they are written; with none each chunk is written as it comes.
    ///
    /// The same holds while its part is being made, and what comes beyond it waits in the kernel: a thousand parts take a
    /// second to be made, and what servers send at once, 117 KiB each, was most of what a thousand downloads took.
    /// A thousand slow ones had 60 KiB each in their buffers, most of what they took.
    var gathered: Int {
        switch running {
        case ...64: Self.full
        case ...128: 64 << 10
        case ...Self.crowd: 16 << 10
        default: 0
        }
    }

    /// Milliseconds that bytes stay in the buffer of a slow download: where many run those then need little memory, and a
    /// crash loses little of them.
    ///
    /// A fast download fills its buffer sooner. Of 400 at 100 KB/s each took 170 KiB when it was a second for all.
    var age: Int64 { running > 64 ? 250 : 1_000 }
}
