/// An action outside of the model that an update requests.
///
/// Effects name transfers by id, never by row.
package enum Effect: Sendable, Equatable {
    /// Sends the transfers a command.
    case send(TransferCommand)
    /// Requests these rows from now on, of a service that has more than the table.
    case select(RowRequest)
    /// Deletes the files of completed downloads, and removes the rows whose files are gone.
    case deleteFiles([UInt64])
    /// Continues a download from another URL with the bytes it has.
    case changeURL(UInt64, url: String)
    /// Requests the connections of rows.
    case countConnections([UInt64])
    /// Saves, beside the session, the view settings that differ from the configuration.
    case saveLayouts([SavedLayout])
    /// Requests the path of a download's file.
    case askPaths([UInt64])
    /// Moves the file or the partial file of a download.
    case moveFile(FilePlace, to: String)
    /// Moves it back to its place, unless another client has changed the download since.
    case moveFileBack(FilePlace)
    /// Moves the files of several downloads to a folder.
    case moveFiles([FilePlace], to: String)
    /// Moves them back to their places; a file that is there already stays.
    case moveFilesBack([FilePlace])
    /// Opens a file with its own program, or its folder.
    case open(UInt64, folder: Bool)
    /// Requests the details of this transfer from now on, and of no other.
    case watch(UInt64?)
    /// Starts or stops the events of transfers, past and future ones.
    case readLog(Bool)
    /// Requests the job of a transfer, to fill the form with.
    case edit(UInt64)
    /// Requests the URLs of transfers, or equivalent shell commands, for the clipboard.
    case quote([UInt64], asCommands: Bool)
    /// Requests the file of a transfer, or its body in one, to show it.
    case view(UInt64)
    /// Shows a file in the user's pager; a temporary one is removed afterwards.
    case page(path: String, isTemporary: Bool)
    /// Writes a data request's body into a new file.
    case writeBody(UInt64, path: String)
    /// Reads a file as a list of tasks, which have these settings where their lines have no others.
    case readList(path: String, defaults: Job)
    /// Requests the facts about this download's destination.
    case lookUp(Job)
    /// Requests the partial files without an owner.
    case findParts
    /// Requests the ends of transfers over all runs.
    case readHistory
    /// Removes partial files by path, unless they have an owner again; requests the rest.
    case removeParts([String])
    /// Requests the paths with this prefix.
    case completePath(String)
    /// Puts text into the terminal's clipboard.
    case copy(String)
    case setMouse(Bool)
    case setFramesPerSecond(Int)
    case setGlyphs(GlyphSet)
    case setTheme(Theme)
    /// Writes options into the user's configuration file.
    case saveSettings([SettingLine])
    /// Rings the terminal's bell and shows a notification, as far as it has either.
    case announce(Announcement)
    case redrawAll
    case suspendProgram
    /// Tells what adds tasks by itself, as the demo does, whether the user waits for the end of all tasks.
    case awaitEnd(Bool)
    /// Quits; live transfers of this process keep their partial files and continue next time.
    case quit
    /// Ends the service and what it runs, then quits.
    case stopService
}

/// An announcement for a user who is not watching the screen.
package struct Announcement: Sendable, Equatable {
    /// The text of the terminal's notification; nil for none.
    package var text: SafeText?
    package var rings: Bool

    package init(text: SafeText?, rings: Bool) {
        self.text = text
        self.rings = rings
    }
}

extension TransferCommand {
    /// The transfers whose state or figures it changes at once: the next key depends on them.
    package var changedIDs: [UInt64] {
        switch self {
        case .pause(let ids), .resume(let ids), .cancel(let ids, _), .startNow(let ids), .fetchAgain(let ids),
            .limitTasks(let ids, _), .prioritise(let ids, _):
            ids
        case .undo(let step): step.changedIDs
        default: []
        }
    }
}
