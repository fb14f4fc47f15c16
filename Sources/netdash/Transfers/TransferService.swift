import Dashboard

/// The immediate outcome of a command; all that follows is told by notices.
struct CommandAnswer: Sendable, Equatable {
    /// The number of jobs that repeated a download that is there already.
    var repetitions = 0
}

/// A piece of news about transfers for whoever shows them.
enum TransferNotice: Sendable, Equatable {
    /// Something happened that is worth a line. The events of one transfer come in order.
    case event(TransferEvent)
    /// A row changed in something else than a number, such as its phase, that no event tells.
    case changed(UInt64)
    /// Numbers changed and nothing else. Comes often; they are asked of the service when they are wanted.
    case moved(UInt64)
    /// Transfers left the list.
    case removed([UInt64])
    /// The servers that nobody asks at the moment are these, because they are away or want to be left alone.
    case held([HeldServer])
    /// These servers get so many transfers at once, fewer than the limits allow, because they have refused more.
    case limited([SafeText: Int])
    /// These limits on how fast bodies move hold from now on.
    case bounded(RatesInForce)
    /// Something went wrong beside the transfers: a sentence without a stop.
    case complaint(SafeText)
    /// Nothing is left to do: every transfer has ended, or has been paused since an earlier run.
    case idle
    /// What comes from here on may be about rows that are still on their way into the saved session, until the same number
    /// comes with ``saved(_:)``. Somebody who would take the word for a promise waits for that.
    case saving(Int)
    /// What was said to be on its way is on the disk, or the disk has refused it.
    case saved(Int)
}

/// Whoever shows what becomes of transfers: the dashboard's rows or the printer of lines.
///
/// A service is made with its observer, because the observer's interests decide what the service keeps.
protocol TransferObserver: AnyObject, Sendable {
    /// Whether rows are shown: then every change of a phase is a movement, and the details that somebody can ask for (a
    /// log, header fields, times) are kept.
    var showsRows: Bool { get }
    /// Whether what happens between a transfer's beginning and its end is worth a line; ends are told in any case.
    var hearsMilestones: Bool { get }
    /// Whether somebody can let a row go on that begins paused; nobody waits for such rows otherwise.
    var takesCommands: Bool { get }
    /// Whether the bodies of answers are kept, because they can be asked for.
    var keepsBodies: Bool { get }
    /// Whether every event is told with its transfer's URL, not the ends alone.
    var wantsURLs: Bool { get }
    /// Receives one notice. Called from whichever thread learned of it; must not block.
    func receive(_ notice: TransferNotice)
}

extension TransferObserver {
    /// Whether milestones are heard of: yes, unless an observer says otherwise.
    var hearsMilestones: Bool { true }
    /// Whether commands come: yes, unless an observer says otherwise.
    var takesCommands: Bool { true }
    /// Whether bodies are kept: where rows are shown, unless an observer says otherwise.
    var keepsBodies: Bool { showsRows }
    /// Whether every event has a URL: no, unless an observer says otherwise.
    var wantsURLs: Bool { false }
}

/// A place where transfers run, for the dashboard, the commands by line and the lists of jobs.
///
/// ``SessionBridge`` is the one implementation: transfers in this process. Commands and notices are values, and answers
/// are copies, so that transfers elsewhere can stand behind the same protocol. Safe from any thread.
protocol TransferService: AnyObject, Sendable {
    // MARK: Commands

    /// Carries out a command.
    @discardableResult func send(_ command: TransferCommand) -> CommandAnswer
    /// Adds the jobs of a long list, asked for page by page until one is empty.
    func add(pages nextPage: () -> [Job])
    /// Ends every run, keeping parts, and waits until that is done, for two seconds at most.
    ///
    /// Returns how the transfers stood before, so that what was still under way counts as unfinished.
    func close() -> [TransferResult]

    // MARK: Questions

    /// The number of transfers that have not ended.
    var liveCount: Int { get }
    /// Whether every transfer has ended, or has been paused since an earlier run.
    var isIdle: Bool { get }
    /// The run so far, in figures.
    var summary: RunSummary { get }
    /// Every row, in the order in which they were added.
    var allSnapshots: [RowSnapshot] { get }
    /// The rows of some ids as they are now; ids that are gone are left out.
    func snapshots(of ids: [UInt64]) -> [RowSnapshot]
    /// The numbers of some rows as they are now; ids that are gone are left out.
    func figures(of ids: [UInt64]) -> [RowFigures]
    /// The texts and figures that the details of a row show.
    func details(of id: UInt64) -> RowDetails?
    /// The names of the connections on which the answers of some rows come; rows that share one have the same.
    func connections(of ids: [UInt64]) -> [UInt64: String]
    /// The job of a row, as it was asked for; its paths mean the same in every folder.
    func job(of id: UInt64) -> Job?
    /// The facts about the place where a download would go; blocks while the disk is read.
    func destinationFacts(for job: Job) -> DestinationFacts
    /// The run in a few lines, told when the dashboard has gone; `results` is what ``close()`` has returned.
    func farewell(_ results: [TransferResult]) -> [SafeText]

    // MARK: Files

    /// Writes the body of a data request into a file that must not exist yet; answers its length.
    func writeBody(of id: UInt64, to path: String) -> Result<Int, TransferFailure>
    /// The path of a row's file, as far as one can tell; nil where it has none.
    func path(of id: UInt64) -> String?
    /// Lets a download that has ended without its file go on from another URL; answers how many bytes it has already.
    ///
    /// One that was stopped for that, and is refused, does again what it did.
    func changeURL(of id: UInt64, to url: String, from before: StoppedFrom) -> Result<Int64, TransferFailure>
    /// Gives the file or the part of a download that has ended another place; answers its path.
    ///
    /// One that was stopped for that does again what it did, there or where it was.
    func moveFile(of id: UInt64, to typed: String, from before: StoppedFrom) -> Result<String, TransferFailure>
    /// Deletes the files of completed downloads; answers which stayed, and why.
    func deleteFiles(of ids: [UInt64]) -> [TransferFailure]
    /// The parts in the folders of the run and its rows that nothing owns any more.
    func leftParts() -> Result<[LeftPartLine], TransferFailure>
    /// Removes some of them, unless something owns them again; answers what to say of it, and of each that stays.
    func removeLeftParts(_ paths: [String]) -> (line: SafeText, complaints: [SafeText])
    /// The file of a transfer, or its body in a file that only this user can read; nil when there is neither.
    func fileToView(of id: UInt64) -> ViewableFile?
}

/// A file that a pager is to show.
struct ViewableFile: Sendable, Equatable {
    var path: String
    /// Whether it was made for the pager alone.
    var isTemporary: Bool
}
