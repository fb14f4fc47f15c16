/// A small HTTP server for one machine: it serves the demo, the tests and the benchmarks, with faults to order.
public final class LoopbackServer: Sendable {
    /// A server that is not listening yet.
    public init() {}
}
