import Support

extension TaskStoreWriter: FinishJournal {
    /// Commits the files with one transaction and waits for it; a store that is closed refuses at once.
    func record(_ files: [TransferID: StoredTransfer.FinishingFile]) {
        guard !files.isEmpty else { return }
        let isDecided = Monitor(false)
        submit(files.map { .finishing($0.key, $0.value) }) { _ in isDecided.change { $0 = true } }
        isDecided.wait { $0 ? () : nil }
    }
}
