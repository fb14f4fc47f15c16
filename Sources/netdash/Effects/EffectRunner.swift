/// Carries out what the dashboard's model asks of transfers.
final class EffectRunner: EffectHandling {
    private let bridge: SessionBridge
    private let publisher: RowPublisher
    /// Makes the exit status of the results; the demo judges them by its own plan.
    private let judge: ([TransferResult]) -> ExitCode

    init(
        bridge: SessionBridge, publisher: RowPublisher,
        judge: @escaping ([TransferResult]) -> ExitCode = { ExitCode.of($0) }
    ) {
        self.bridge = bridge
        self.publisher = publisher
        self.judge = judge
    }

    func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .pause(let ids): bridge.pause(ids)
            case .resume(let ids): bridge.resume(ids)
            case .cancel(let ids, let deletingParts): bridge.cancel(ids, deletingParts: deletingParts)
            case .add(let jobs): bridge.add(jobs)
            case .clear(let ids): bridge.clear(ids)
            // The dashboard keeps these to itself: they are about the terminal and the program.
            case .copy, .redrawAll, .suspendProgram, .quit: break
            }
        }
    }

    /// Parts are kept either way: bytes are deleted only when the user says so for each transfer.
    func finish(saving: Bool) -> Int32 {
        let results = bridge.close()
        publisher.finish()
        return judge(results).rawValue
    }
}
