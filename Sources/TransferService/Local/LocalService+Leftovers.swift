import Foundation
import SessionCore
import SessionSupport

/// Partial files without an owner in the folders of this run and of its rows; these functions wait for the disk.
extension LocalService {
    /// The partial files without an owner, or why they cannot be found.
    package func leftovers() -> Result<[LeftoverLine], TransferFailure> {
        switch leftoverList().find(beside: ownTransfers()) {
        case .success(let found):
            found.unreadable.forEach(complain)
            let now = Date().timeIntervalSince1970
            return .success(found.parts.map { LeftoverLine($0, now: now) })
        case .failure(let refusal): return .failure(TransferFailure(SessionError(.storage, refusal.sentence.string)))
        }
    }

    /// Removes partial files; returns a summary, and a sentence for each that could not be removed.
    package func removeLeftovers(_ paths: [String]) -> (line: SafeText, complaints: [SafeText]) {
        let list = leftoverList()
        switch list.find(beside: ownTransfers()) {
        case .failure(let refusal): return (.empty, [refusal.sentence])
        case .success(let found):
            let wanted = Set(paths)
            return list.remove(found.parts.filter { wanted.contains($0.path) }, unless: found.unreadable)
        }
    }

    private func leftoverList() -> LeftoverList {
        LeftoverList(
            folders: leftoverFolders(),
            sessions: UserFolder.sessions(environment: ProcessInfo.processInfo.environment),
            now: Date().timeIntervalSince1970)
    }

    /// The folders of this run and of its downloads that exist.
    private func leftoverFolders() -> [String] {
        let jobs = state.withLock { state in state.order.compactMap { state.rows[$0]?.job } }
        let own = state.withLock(\.directory)
        var folders = [own]
        for job in jobs where job.kind == .download && job.output != .standardOutput {
            let folder = SavedJob.absolute(factory.target(of: job).folder)
            if !folders.contains(folder) { folders.append(folder) }
        }
        return folders.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
    }

    /// The downloads of this run, which own their partial files even without a saved session.
    private func ownTransfers() -> [StoredTransfer] {
        let rows = state.withLock { state in state.order.compactMap { state.rows[$0] } }
        return rows.compactMap { row in
            guard row.job.kind == .download, row.run.result != .completed else { return nil }
            return StoredTransfer(
                id: TransferID(rawValue: row.id), kind: .download, request: TransferRequest(url: row.job.url),
                destination: .target(factory.target(of: row.job)), createdAt: 0)
        }
    }
}

extension LeftoverLine {
    init(_ part: Leftover, now: Double) {
        let meaning: Meaning =
            switch part.kind {
            case .resumable: .resumable
            case .unproven: .unproven
            case .worthless: .worthless
            case .refused: .refused
            case .description: .description
            }
        self.init(
            path: part.path, meaning: meaning, byteCount: part.byteCount, age: now - part.modified,
            url: part.url.map { SafeText(untrusted: $0) } ?? .empty)
    }
}
