import CLinux
import SessionSupport

/// Makes files of small downloads in groups (group commit, without timers): whatever arrives while one group is brought
/// to the disk becomes the next one.
///
/// Safe from any thread; submitting never blocks.
final class SmallFileCommitter: Sendable {
    /// What became of a download.
    struct Reply: Sendable {
        var id: TransferID
        var result: Result<FinishedFile, SessionError>
    }

    /// Below this, a sync for each file costs less than one of the whole file system, which others' data may prolong.
    static let smallestGroup = 8
    /// The most downloads that are finished together, so that the first need not wait for all.
    static let largestGroup = 256
    /// How many downloads that cannot be grouped are finished at the same time.
    ///
    /// How many groups are finished at the same time: one, behind which the others gather.
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

    /// Accepts downloads whose bodies are complete; each is answered once.
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

    /// What can begin now.
    ///
    /// While a group runs nothing else does: the next group grows meanwhile.
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

    /// How many a group of a download's kind has at least; nil when it is finished alone.
    private func smallestGroup(of download: SmallDownload, _ gate: SyncGate) -> Int? {
        guard !download.isCompared else { return nil }
        switch download.folder.groupSync {
        case .free: return 1
        case .worthwhile:
            return gate.isOpen(for: download.device, at: cl_monotonic_milliseconds()) ? Self.smallestGroup : nil
        case .unknown: return nil
        }
    }

    /// Removes and returns the downloads that lie on the file system of the first.
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

/// A body that is complete in memory and is to become a file.
///
/// A class because every step of a group looks at every member, and a copy would count its references each time.
final class SmallDownload: Sendable {
    /// The transfer that the body belongs to.
    let id: TransferID
    let folder: Folder
    /// The original URL, as the user gave it.
    let url: String
    /// The name it wants; one that ``FileNames`` made or checked.
    let finalName: String
    let collision: DownloadTarget.Collision
    let checksum: Checksum?
    /// What the server has announced.
    let announced: Checksum?
    let body: [UInt8]
    /// What the file keeps of its answer; nil for nothing.
    let stamp: FileStamp?
    /// The folder of the file that is overwritten, where that takes no new file.
    let home: Folder?
    /// Where it is written down before it gets its name; nil for a transfer that is not stored.
    let journal: (any FinishJournal)?

    init(
        id: TransferID, folder: Folder, url: String, finalName: String, collision: DownloadTarget.Collision,
        checksum: Checksum? = nil, announced: Checksum? = nil, body: [UInt8], stamp: FileStamp? = nil,
        home: Folder? = nil, journal: (any FinishJournal)? = nil
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
        self.home = home
        self.journal = journal
    }

    /// The file system it goes to.
    var device: UInt64 { folder.identity.device }

    /// Whether it goes a way of its own: its digest is reckoned, which a group of many has no time for, or its file is
    /// written in place.
    var isCompared: Bool { checksum != nil || announced != nil || home != nil }

    /// Whether nothing about finishing it waits for a disk.
    var needsNoDisk: Bool { folder.groupSync == .free && !isCompared && journal == nil }

    /// Writes, syncs and names this one alone.
    ///
    /// Blocks; belongs on a storage thread.
    func finish() -> Result<FinishedFile, SessionError> {
        body.withUnsafeBytes { bytes in
            do throws(SessionError) {
                return .success(
                    try Finisher.finishSmall(
                        bytes, in: folder, url: url, finalName: finalName, collision: collision, checksum: checksum,
                        announced: announced, stamp: stamp, home: home, beforeNaming: { journal?.record([id: $0]) }))
            } catch {
                return .failure(error)
            }
        }
    }
}
