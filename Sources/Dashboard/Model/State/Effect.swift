/// An action outside of the model that an update asks for.
///
/// Effects name transfers by id, never by row.
package enum Effect: Sendable, Equatable {
    /// Asks something of the transfers.
    case send(TransferCommand)
    /// Deletes the files of downloads that are done, and lets the rows go whose files are gone.
    case deleteFiles([UInt64])
    /// A download that has ended without its file goes on from another URL, with the bytes it has; where that is refused it
    /// does what it did before it was stopped.
    case changeURL(UInt64, url: String, from: StoppedFrom)
    /// Asks for the connections of rows.
    case countConnections([UInt64])
    /// Writes down, beside the session, in what its looks differ from the configuration.
    case saveLayouts([SavedLayout])
    /// Asks for the path of a download's file.
    case askPath(UInt64)
    /// Gives the file or the part of a download that has ended another place, where it does what it did before it was
    /// stopped.
    case moveFile(UInt64, path: String, from: StoppedFrom)
    /// Opens a file with its own program, or the folder it lies in.
    case open(UInt64, folder: Bool)
    /// Asks for the details of this transfer from now on, and of no other.
    case watch(UInt64?)
    /// Asks for the events of transfers, those so far and those to come, or for no more of them.
    case readLog(Bool)
    /// Asks for the job of a transfer, to fill the form with.
    case edit(UInt64)
    /// Asks for what transfers were made of, for the clipboard: their URLs, or commands for a shell.
    case quote([UInt64], asCommands: Bool)
    /// Asks for the file of a transfer, or its body in one, to show it.
    case view(UInt64)
    /// Shows a file in the user's pager, and removes it afterwards where it was made for that alone.
    case page(path: String, isTemporary: Bool)
    /// Writes a data request's body into a new file.
    case writeBody(UInt64, path: String)
    /// Asks what lies where this download would go.
    case lookUp(Job)
    /// Asks for the parts that nothing owns any more.
    case findParts
    /// Removes parts, by their paths, unless something owns them again; asks for the rest.
    case removeParts([String])
    /// Asks for the paths that begin so.
    case completePath(String)
    /// Puts text into the terminal's clipboard.
    case copy(String)
    case setMouse(Bool)
    case setFramesPerSecond(Int)
    case setGlyphs(GlyphSet)
    /// Writes options into the user's configuration file.
    case saveSettings([SettingLine])
    /// Rings the terminal's bell and shows a notification of it, as far as it has either.
    case announce(Announcement)
    case redrawAll
    case suspendProgram
    /// Leave; whatever is live keeps its part and goes on next time.
    case quit
}

/// An announcement for a user who does not look at the screen.
package struct Announcement: Sendable, Equatable {
    /// The text of the terminal's notification; nil for none.
    package var text: SafeText?
    /// Whether the bell rings.
    package var rings: Bool

    package init(text: SafeText?, rings: Bool) {
        self.text = text
        self.rings = rings
    }
}

extension TransferCommand {
    /// The transfers whose state or numbers it changes at once: the next key is judged by them.
    package var changedIDs: [UInt64] {
        switch self {
        case .pause(let ids), .resume(let ids), .cancel(let ids, _), .startNow(let ids), .fetchAgain(let ids),
            .limitTasks(let ids, _), .prioritise(let ids, _):
            ids
        default: []
        }
    }
}
