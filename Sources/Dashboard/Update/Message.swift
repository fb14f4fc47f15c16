/// Everything that can happen to the model.
///
/// Time enters only through ``clock(_:)``, so send it before the messages of one turn of the event loop.
package enum Message: Sendable, Equatable {
    /// A key was pressed.
    case key(KeyPress)
    /// Text was pasted; it never fires keys.
    case paste(String)
    case resized(Size)
    /// Rows to insert or to replace, by id.
    case rows([RowSnapshot])
    /// The numbers of rows of which nothing else has changed; ids that are not in the table are left out.
    case figures([RowFigures])
    /// Rows that are gone.
    case removed([UInt64])
    /// The servers that nobody asks at the moment.
    case held([ServerBackoff])
    /// These servers get so many transfers at once, fewer than the limits allow.
    case limited([SafeText: Int])
    /// These limits on how fast bodies move hold from now on.
    case bounded(RatesInForce)
    /// The details of the transfer that is watched.
    case details(UInt64, RowDetails)
    /// The job of a transfer, to be edited; with the reason why it was not changed to this one.
    case edit(UInt64, Job, problem: SafeText? = nil)
    /// The names of the connections of rows that run; rows that share one have the same.
    case connections([UInt64: String])
    /// The path of a download's file, to be edited.
    case place(UInt64, path: String)
    /// The file to show; one that was made for that is removed afterwards.
    case viewable(path: String, isTemporary: Bool)
    /// Text for the clipboard, and the words that say so.
    case quoted(String, SafeText)
    /// The facts about the destination of that download.
    case lookedUp(Job, DestinationFacts)
    /// The number of tasks that were not added because they are in the list already.
    case repetitions(Int)
    /// The paths that begin as the first text does.
    case completions(String, [String])
    /// Options stand in the configuration file now, the one at this path.
    case settingsSaved([SettingLine], path: String)
    /// A row was clicked.
    case picked(UInt64)
    /// A group's line was clicked.
    case pickedGroup(Int32)
    /// A tab was clicked.
    case tabbed(Tab)
    /// The name of a part of the details was clicked.
    case detailsTab(DetailsTab)
    /// A button, a line of a menu or a field of a form was clicked, the one of this number.
    case chosen(Int)
    /// A column's title was clicked.
    case ordered(SortOrder.Column)
    /// The wheel was turned, by so many lines.
    case scrolled(Int)
    /// Milliseconds of a monotonic clock.
    case clock(Int64)
    /// The time of day, in milliseconds of the user's day.
    case timeOfDay(Int64)
    /// The list lives only as long as the program.
    case notSaved
    /// The latest events of all transfers, oldest first.
    case log([LogEntry])
    /// Events of transfers since then.
    case logged([LogEntry])
    /// Work has ended, which somebody who does not look is to hear of.
    case announce(Announcement)
    /// Something happened that is worth a line above the footer.
    case toast(SafeText, isError: Bool)
    /// The program is in the foreground again after it was stopped: rates start over.
    case resumedFromBackground
    /// The parts that nothing owns any more, or why nobody can tell.
    case leftovers([LeftoverLine], problem: SafeText?)
    /// Every transfer has ended and the program was asked to leave then.
    case allWorkEnded
    /// A signal asks the program to end.
    case terminate
}
