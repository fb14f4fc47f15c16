/// The immediate outcome of a command; notices report everything that follows.
package struct CommandReply: Sendable, Equatable, Codable {
    /// A row that a command does not apply to.
    package struct Refusal: Sendable, Equatable, Codable {
        package var id: UInt64
        /// A sentence without a full stop.
        package var reason: SafeText

        package init(id: UInt64, reason: SafeText) { (self.id, self.reason) = (id, reason) }
    }

    /// The rows of the jobs, in their order: new ones, and earlier rows that resume because they were requested again.
    package var added: [UInt64] = []
    /// The rows of existing downloads that jobs repeated, in the order of these.
    package var repeated: [UInt64] = []
    package var refusals: [Refusal] = []

    package init(added: [UInt64] = [], repeated: [UInt64] = [], refusals: [Refusal] = []) {
        (self.added, self.repeated, self.refusals) = (added, repeated, refusals)
    }

    /// The reply to a command that applies to none of its rows; 0 stands for the limits of the run.
    package init(refused command: TransferCommand, _ reason: SafeText) {
        let ids = command.rows.isEmpty ? [0] : command.rows
        self.init(refusals: ids.map { Refusal(id: $0, reason: reason) })
    }
}

/// A notice about transfers for subscribers.
package enum TransferNotice: Sendable, Equatable, Codable {
    /// An event worth a line. The events of one transfer come in order.
    case event(TransferEvent)
    /// A row changed in more than numbers, such as its phase, without an event.
    case changed(UInt64)
    /// Only numbers changed. Comes often.
    case moved(UInt64)
    /// Transfers left the list.
    case removed([UInt64])
    /// The hosts in backoff, because they are down or asked for a pause.
    case backoffs([ServerBackoff])
    /// Servers that get fewer concurrent transfers than the limits allow, because they refused more.
    case limited([SafeText: Int])
    /// The rate limits in force from now on.
    case bounded(RatesInForce)
    /// The limits as they were last set, by any client.
    case configured(TransferLimits, RatePlan)
    /// A problem beside the transfers: a sentence without a full stop.
    case complaint(SafeText)
    /// The end of such a problem: a sentence without a full stop, and the complaint that it ends.
    case resolved(SafeText, of: SafeText?)
    /// Every transfer has ended, or has been paused since an earlier run.
    case idle
    /// Until ``saved(_:)`` comes with the same number, notices may concern rows that are not saved yet. A reader who
    /// relies on them waits for that.
    case saving(Int)
    /// The changes with this number are on the disk, or the disk has refused them.
    case saved(Int)
}

/// Receives notices in this process, on the thread that causes them.
package protocol TransferObserver: AnyObject, Sendable {
    /// Read once.
    var interest: Interest { get }
    /// Receives one notice, on any thread; must not block.
    func receive(_ notice: TransferNotice)
}

/// Runs transfers for the dashboard, the line commands and the lists of jobs.
///
/// ``LocalService`` implements it in this process. Commands and notices are values, and answers are copies, so that a
/// service in another process can implement it too. Safe from any thread.
package protocol TransferService: AnyObject, Sendable {
    // MARK: Commands

    @discardableResult func send(_ command: TransferCommand) -> CommandReply
    /// Sends a command of a client with a number, which knows its own changes by that.
    @discardableResult func send(_ command: TransferCommand, from client: UInt64) -> CommandReply
    /// Sends a command that may have been carried out already, because its reply was lost.
    ///
    /// `key` is the number of the first job of an addition, and the next ones follow: no job is added twice under one.
    @discardableResult func send(_ command: TransferCommand, from client: UInt64, once key: UInt64) -> CommandReply
    /// Adds the jobs of a long list, requested page by page until one is empty.
    func add(pages nextPage: () -> [Job])
    /// Resumes the transfers of an earlier run; returns sentences about what was found.
    ///
    /// Called once, before the first job and after the first subscription; blocks while the disk is read.
    func begin() -> [String]
    /// Ends every run, keeping partial files, and waits two seconds at most.
    ///
    /// - Parameter rest: jobs of the run that were not added, for the list of failures.
    @discardableResult func close(leaving rest: [Job]) -> RunEnd

    // MARK: Notices

    /// Adds a subscriber, which receives notices by its interest from now on.
    ///
    /// `wake` is called on any thread when something waits that did not before, at most once per frame where the
    /// interest has a frame rate; must not block.
    func subscribe(_ interest: Interest, wake: @escaping @Sendable () -> Void) -> any Subscription

    // MARK: Questions

    /// Answers a question; may wait for a disk, so not for the keyboard's thread.
    func answer(_ question: TransferQuestion) -> TransferAnswer

    // MARK: Files

    /// Writes the body of a data request into a new file; returns its length in bytes.
    func writeBody(of id: UInt64, to path: String) -> Result<Int, TransferFailure>
    /// Resumes a download from another URL; returns how many bytes it has already, or nil for one that is stopped
    /// first.
    ///
    /// What follows then is reported by notices. If it fails, the download goes on as before.
    func changeURL(of id: UInt64, to url: String, from client: UInt64) -> Result<Int64?, TransferFailure>
    /// Moves the file or the partial file of a download; returns its path, or nil for one that is stopped first.
    ///
    /// What follows then is reported by notices. If it fails, the download goes on as before. An undo is refused where
    /// another client has changed the row since.
    func moveFile(
        of id: UInt64, to typed: String, isUndo: Bool, from client: UInt64
    ) -> Result<String?, TransferFailure>
    /// Deletes the files of completed downloads; returns which stayed, and why.
    func deleteFiles(of ids: [UInt64]) -> [TransferFailure]
    /// Removes partial files without an owner; returns a summary, and a sentence for each that stays.
    func removeLeftovers(_ paths: [String]) -> (line: SafeText, complaints: [SafeText])
    /// The file of a transfer, or its body in a file with mode 0600; nil without either.
    func fileToView(of id: UInt64) -> ViewableFile?
}

extension TransferService {
    /// A service without clients of its own does not tell them apart.
    @discardableResult package func send(_ command: TransferCommand, from client: UInt64) -> CommandReply {
        send(command)
    }

    /// A service that adds no jobs has no additions to tell apart.
    @discardableResult
    package func send(_ command: TransferCommand, from client: UInt64, once key: UInt64) -> CommandReply {
        send(command, from: client)
    }

    /// Resumes a download from another URL, for a client of this process.
    package func changeURL(of id: UInt64, to url: String) -> Result<Int64?, TransferFailure> {
        changeURL(of: id, to: url, from: 0)
    }

    /// Moves the file or the partial file of a download, for a client of this process.
    package func moveFile(of id: UInt64, to typed: String, isUndo: Bool = false) -> Result<String?, TransferFailure> {
        moveFile(of: id, to: typed, isUndo: isUndo, from: 0)
    }

    /// Ends every run; see ``close(leaving:)``.
    @discardableResult package func close() -> RunEnd { close(leaving: []) }
}

/// A file for a pager to show.
package struct ViewableFile: Sendable, Equatable, Codable {
    package var path: String
    /// Whether it was made only for the pager.
    package var isTemporary: Bool
}
