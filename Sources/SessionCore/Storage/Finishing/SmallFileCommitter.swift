import CLinux
import SessionSupport

/// Finishes small downloads in groups (group commit, without timers): downloads that arrive during one group's syncs
/// form the next group.
///
/// Safe from any thread; submitting never blocks.
final class SmallFileCommitter: Sendable {
    /// The result of a download.
    struct Reply: Sendable {
        var id: TransferID
        var result: Result<FinishedFile, SessionError>
    }

    /// Below this, syncing each file costs less than syncing the file system, which other programs' data may prolong.
    static let smallestGroup = 8
    /// The largest group, so that its first download need not wait for all others.
    static let largestGroup = 256
    /// Concurrent downloads outside a group.
    ///
    /// Groups run one at a time, while the next one gathers.
    private static let singleLimit = 4

    private struct State {
        var waiting: [SmallDownload] = []
        var gate = SyncGate()
        var singles = 0
        var isGroupRunning = false
    }

    private enum Work {
        case group([SmallDownload])
        case single(SmallDownload)
    }

    private let worker: StorageWorker
    private let finisher: GroupFinisher
    private let largestGroup: Int
    private let reply: @Sendable ([Reply]) -> Void
    private let state = Locked(State())

    /// - Parameter reply: called on a storage thread with the results of a group.
    init(
        worker: StorageWorker, finisher: GroupFinisher = GroupFinisher(), largestGroup: Int = largestGroup,
        reply: @escaping @Sendable ([Reply]) -> Void
    ) {
        self.largestGroup = largestGroup
        self.worker = worker
        self.finisher = finisher
        self.reply = reply
    }

    /// Accepts downloads whose bodies are complete; each gets one reply.
    func submit(_ downloads: [SmallDownload]) {
        state.withLock { $0.waiting += downloads }
        startWork()
    }

    private func startWork() {
        while let work = state.withLock({ next(&$0) }) {
            worker.submit { [self] in
                run(work)
                startWork()
            }
        }
    }

    private func run(_ work: Work) {
        switch work {
        case .single(let download):
            let result = download.finish()
            state.withLock { $0.singles -= 1 }
            reply([Reply(id: download.id, result: result)])
        case .group(let group):
            let began = cl_monotonic_milliseconds()
            let results = finisher.finish(group)
            let ended = cl_monotonic_milliseconds()
            state.withLock { state in
                state.isGroupRunning = false
                if let device = group.first?.device { state.gate.record(device: device, began: began, ended: ended) }
            }
            reply(zip(group, results).map { Reply(id: $0.id, result: $1) })
        }
    }

    /// Takes the work that may start now.
    ///
    /// No other work starts during a group, so that the next group grows.
    private func next(_ state: inout State) -> Work? {
        guard !state.isGroupRunning, let first = state.waiting.first else { return nil }
        let smallest = smallestGroup(of: first, state.gate)
        if let smallest, state.waiting.count >= smallest, let group = takeGroup(&state, smallest) {
            state.isGroupRunning = true
            return .group(group)
        }
        guard state.singles < (smallest == nil ? Self.singleLimit : 1) else { return nil }
        state.singles += 1
        return .single(state.waiting.removeFirst())
    }

    /// Returns the minimum group size for a download; nil if it is finished singly.
    private func smallestGroup(of download: SmallDownload, _ gate: SyncGate) -> Int? {
        guard !download.isCompared else { return nil }
        switch download.folder.groupSync {
        case .free: return 1
        case .worthwhile:
            return gate.isOpen(for: download.device, at: cl_monotonic_milliseconds()) ? Self.smallestGroup : nil
        case .unknown: return nil
        }
    }

    /// Removes and returns the downloads on the first one's file system.
    private func takeGroup(_ state: inout State, _ smallest: Int) -> [SmallDownload]? {
        let device = state.waiting.first?.device
        var group: [SmallDownload] = []
        var others: [SmallDownload] = []
        for download in state.waiting {
            let belongs = group.count < largestGroup && download.device == device && !download.isCompared
            if belongs { group.append(download) } else { others.append(download) }
        }
        guard group.count >= smallest else { return nil }
        state.waiting = others
        return group
    }
}

/// A body that is complete in memory and will become a file.
///
/// A class because every step of a group visits every member, and a copy would count its references each time.
final class SmallDownload: Sendable {
    let id: TransferID
    let folder: Folder
    /// The original URL, as the user gave it.
    let url: String
    /// The wanted name, made or checked by ``FileNames``.
    let finalName: String
    let collision: DownloadTarget.Collision
    let checksum: Checksum?
    /// The server's checksum.
    let announced: Checksum?
    let body: [UInt8]
    /// The header fields that the file keeps; nil for none.
    let stamp: FileStamp?
    /// The file's place among the ones that want the name.
    let turn: NameTurn?
    /// The folder of the file to overwrite if it takes no new file.
    let home: Folder?
    /// Records the file before its naming; nil for a transfer that is not stored.
    let journal: (any FinishJournal)?

    init(
        id: TransferID, folder: Folder, url: String, finalName: String, collision: DownloadTarget.Collision,
        checksum: Checksum? = nil, announced: Checksum? = nil, body: [UInt8], stamp: FileStamp? = nil,
        turn: NameTurn? = nil, home: Folder? = nil, journal: (any FinishJournal)? = nil
    ) {
        self.id = id
        self.folder = folder
        self.url = url
        self.finalName = finalName
        self.collision = collision
        self.checksum = checksum
        self.announced = announced
        self.body = body
        self.stamp = stamp
        self.turn = turn
        self.home = home
        self.journal = journal
    }

    var device: UInt64 { folder.identity.device }

    /// True if it is finished outside a group: its digest is computed, which would delay the group, or its file is
    /// written in place.
    var isCompared: Bool { checksum != nil || announced != nil || home != nil }

    /// True if finishing it waits neither for a disk nor for the naming of another file.
    var needsNoDisk: Bool {
        folder.groupSync == .free && !isCompared && journal == nil && turn?.isAlone != false
    }

    /// Writes, syncs and names only this download.
    ///
    /// Blocks; belongs on a storage thread.
    func finish() -> Result<FinishedFile, SessionError> {
        body.withUnsafeBytes { bytes in
            do throws(SessionError) {
                return .success(
                    try Finisher.finishSmall(
                        bytes, in: folder, url: url, finalName: finalName, collision: collision, checksum: checksum,
                        announced: announced, stamp: stamp, turn: turn, home: home,
                        beforeNaming: { journal?.record([id: $0]) }))
            } catch {
                return .failure(error)
            }
        }
    }
}
