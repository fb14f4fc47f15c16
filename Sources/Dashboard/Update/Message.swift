/// An input to the model.
///
/// Time enters only through ``clock(_:)``, so send it before the messages of one turn of the event loop.
package enum Message: Sendable, Equatable {
    case key(KeyPress)
    /// Text was pasted; it never triggers keys.
    case paste(String)
    case resized(Size)
    /// Rows to insert or to replace, by id.
    case rows([RowSnapshot])
    /// The figures of rows without any other change; unknown ids are ignored.
    case figures([RowFigures])
    /// Removed rows.
    case removed([UInt64])
    /// Downloads whose files a command could not move.
    case notMoved([FilePlace])
    /// The servers that get no requests at the moment.
    case backoffs([ServerBackoff])
    /// The concurrency of these servers, below the limits.
    case limited([SafeText: Int])
    /// The rate limits in force from now on.
    case bounded(RatesInForce)
    /// The limits of a service as any of its windows has set them.
    case configured(TransferLimits, RatePlan)
    /// The details of the watched transfer.
    case details(UInt64, RowDetails)
    /// The job of a transfer, to be edited; with the reason if it could not be changed to this one.
    case edit(UInt64, Job, problem: SafeText? = nil)
    /// The connections' names by running row; rows that share a connection have equal names.
    case connections([UInt64: String])
    /// The path of a download's file, to be edited.
    case destinations([FilePlace])
    /// The file to show; a temporary one is removed afterwards.
    case viewable(path: String, isTemporary: Bool)
    /// Text for the clipboard, and the message about it.
    case quoted(String, SafeText)
    /// The tasks of a list, or why it cannot be read.
    case list([Job], problem: SafeText?)
    /// The facts about the download's destination.
    case lookedUp(Job, DestinationInfo)
    /// The service has refused a change of several tasks for each of them.
    case notAmended
    /// A command to which the service has given no answer, so that it may not be done.
    case unanswered(TransferCommand)
    /// The number of tasks that were not added because the list already has them.
    case repetitions(Int, of: Int)
    /// The paths that begin with the first text.
    case completions(String, [String])
    /// These options were saved in the configuration file at this path.
    case settingsSaved([SettingLine], path: String)
    case picked(UInt64)
    case pickedGroup(Int32)
    case tabbed(Tab)
    /// The name of a part of the details was clicked.
    case detailsTab(DetailsTab)
    /// The button, menu line or form field of this number was clicked.
    case chosen(Int)
    /// A column's title was clicked.
    case ordered(SortOrder.Column)
    /// The wheel was turned, by this many lines.
    case scrolled(Int)
    /// Milliseconds of a monotonic clock.
    case clock(Int64)
    /// The time of day, in milliseconds of the user's day.
    case timeOfDay(Int64)
    /// The only rows that exist, after changes may have been missed: others are removed.
    case remaining([UInt64])
    /// Whether further rows of the service are on their way, so that the table is not all of them.
    case reading(Bool)
    /// The counts of all rows of a service that has more than the table.
    case totals(RowTotals)
    /// The process that has the transfers from now on.
    case owned(TransferOwner)
    /// The service was started again, so that it does not know what which client has changed before.
    case serviceRestarted
    /// The list is not saved and ends with the program.
    case notSaved
    /// The latest events of all transfers, oldest first.
    case log([LogEntry])
    /// Events of transfers since then.
    case logged([LogEntry])
    /// Work has ended, to be announced to a user who is not watching.
    case announce(Announcement)
    /// A message for the line above the footer.
    case toast(SafeText, isError: Bool)
    /// A message that is no longer true.
    case withdrawn(SafeText)
    /// The program is in the foreground again after it was stopped: rates start over.
    case resumedFromBackground
    /// The partial files without an owner, or why the search failed.
    case leftovers([LeftoverLine], problem: SafeText?)
    /// The ends of transfers over all runs, or why they could not be read.
    case history(HistoryPage?, problem: SafeText?)
    /// Every transfer has ended and the program was asked to quit then.
    case allWorkEnded
    case terminate
}
