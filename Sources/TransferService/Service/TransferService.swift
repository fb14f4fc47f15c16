/// The immediate outcome of a command; all that follows is told by notices.
package struct CommandReply: Sendable, Equatable, Codable {
    /// A row that a command does nothing to.
    package struct Refusal: Sendable, Equatable, Codable {
        package var id: UInt64
        /// Why, as a sentence without a stop.
        package var reason: SafeText
    }

    /// The rows that jobs got, in the order of the jobs: new ones, and earlier rows that go on as they were asked for anew.
    package var added: [UInt64] = []
    /// The number of jobs that repeated a download that is there already.
    package var repetitions = 0
    /// The rows that the command does nothing to.
    package var refusals: [Refusal] = []
}

/// A piece of news about transfers for whoever shows them.
package enum TransferNotice: Sendable, Equatable, Codable {
    /// Something happened that is worth a line. The events of one transfer come in order.
    case event(TransferEvent)
    /// A row changed in something else than a number, such as its phase, that no event tells.
    case changed(UInt64)
    /// Numbers changed and nothing else. Comes often.
    case moved(UInt64)
    /// Transfers left the list.
    case removed([UInt64])
    /// The servers that nobody asks at the moment are these, because they are away or want to be left alone.
    case held([ServerBackoff])
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

/// An object in this process that is told of transfers as it happens, on the thread of the news.
package protocol TransferObserver: AnyObject, Sendable {
    /// What it wants to hear; asked once.
    var interest: Interest { get }
    /// Receives one notice. Called from whichever thread learned of it; must not block.
    func receive(_ notice: TransferNotice)
}

/// A place where transfers run, for the dashboard, the commands by line and the lists of jobs.
///
/// ``LocalService`` is the one implementation: transfers in this process. Commands and notices are values, and answers
/// are copies, so that transfers elsewhere can stand behind the same protocol. Safe from any thread.
package protocol TransferService: AnyObject, Sendable {
    // MARK: Commands

    /// Carries out a command.
    @discardableResult func send(_ command: TransferCommand) -> CommandReply
    /// Adds the jobs of a long list, asked for page by page until one is empty.
    func add(pages nextPage: () -> [Job])
    /// Lets the transfers of an earlier run go on, and answers sentences on what was found.
    ///
    /// Called once, before the first job and behind the first subscription; blocks while the disk is read.
    func begin() -> [String]
    /// Ends every run, keeping parts, and waits until that is done, for two seconds at most.
    ///
    /// - Parameter rest: jobs of the run that were not added, for the list of failures.
    @discardableResult func close(leaving rest: [Job]) -> RunEnd

    // MARK: News

    /// Tells one more subscriber what becomes of transfers from now on, as far as that interests it.
    ///
    /// `wake` is called on any thread when something waits for it that did not before, at most once for each frame where the
    /// interest has a frame rate; must not block.
    func subscribe(_ interest: Interest, wake: @escaping @Sendable () -> Void) -> Subscription

    // MARK: Questions

    /// Answers a question; may wait for a disk, so not for the thread of the keys.
    func answer(_ question: TransferQuestion) -> TransferAnswer

    // MARK: Files

    /// Writes the body of a data request into a file that must not exist yet; answers its length.
    func writeBody(of id: UInt64, to path: String) -> Result<Int, TransferFailure>
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
    /// Removes some parts that nothing owns, unless something owns them again; answers what to say of it, and of each that stays.
    func removeLeftovers(_ paths: [String]) -> (line: SafeText, complaints: [SafeText])
    /// The file of a transfer, or its body in a file that only this user can read; nil when there is neither.
    func fileToView(of id: UInt64) -> ViewableFile?
}

extension TransferService {
    /// Ends every run, see ``close(leaving:)``.
    @discardableResult package func close() -> RunEnd { close(leaving: []) }
}

/// A file that a pager is to show.
package struct ViewableFile: Sendable, Equatable, Codable {
    package var path: String
    /// Whether it was made for the pager alone.
    package var isTemporary: Bool
}
