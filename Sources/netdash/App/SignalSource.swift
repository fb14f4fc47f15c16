/// Where the event loop learns of signals.
protocol SignalSource: AnyObject {
    /// Readable while signals wait.
    var descriptor: Int32 { get }
    /// The signals that arrived since the last call.
    func drain() -> [Int32]
}
