extension Model {
    /// Carries out what a key does on the screen where it was pressed.
    ///
    /// The compiler asks for a line here for every command there is.
    package mutating func run(_ command: Command.ID) -> [Effect] {
        switch command {
        case .up, .scrollTasksUp, .previousField: move(by: -1)
        case .down, .scrollTasksDown: move(by: 1)
        case .pageUp: movePage(-1)
        case .pageDown: movePage(1)
        case .halfUp: movePage(-1, half: true)
        case .halfDown: movePage(1, half: true)
        case .first: moveToEnd(-1)
        case .last: moveToEnd(1)
        case .left: scrollSideways(by: -8)
        case .right: scrollSideways(by: 8)
        case .nextFailed: moveToFailed(1)
        case .previousFailed: moveToFailed(-1)
        case .nextMatch: goToMatch(1)
        case .previousMatch: goToMatch(-1)
        case .pause: return pauseTargets()
        case .resume: return resumeTargets()
        case .cancel: askToCancel()
        case .pauseAll: return pauseView()
        case .resumeAll: return resumeView()
        case .undo: return undoLast()
        case .raisePriority: return prioritiseTargets(by: 1)
        case .lowerPriority: return prioritiseTargets(by: -1)
        case .moveUp: return moveTargetsInQueue(by: -1)
        case .moveDown: return moveTargetsInQueue(by: 1)
        case .moreAtOnce: return changeLimit(by: 1)
        case .fewerAtOnce: return changeLimit(by: -1)
        case .morePerHost: return changeLimit(perHost: true, by: 1)
        case .fewerPerHost: return changeLimit(perHost: true, by: -1)
        case .actions: overlay = .actions(ActionMenu())
        case .remove: return askToRemove()
        case .startNow: return startTargetsNow()
        case .fetchAgain: return fetchTargetsAgain()
        case .newURL: askForURL()
        case .moveFile: return current.map { [.askPlace($0.id)] } ?? []
        case .openFile: return current.map { [.open($0.id, folder: false)] } ?? []
        case .openFolder: return current.map { [.open($0.id, folder: true)] } ?? []
        case .removeKeepingFiles: return removeFromDialog(deletingFiles: false)
        case .removeDeletingFiles: return removeFromDialog(deletingFiles: true)
        case .chooseAction: return chooseAction()
        case .repeatRequest: askToRepeat()
        case .view: return current.map { [.view($0.id)] } ?? []
        case .write: askForBodyPath()
        case .secrets: toggleSecrets()
        case .mark: toggleMark()
        case .range: toggleRange()
        case .markAll: markView()
        case .unmarkAll: unmarkAll()
        case .invertMarks: invertMarks()
        case .filter: openFilter()
        case .search: askToSearch()
        case .states: openStateMenu()
        case .sort: openSortMenu()
        case .previousColumn: sort(by: rows.query.order.advanced(by: -1))
        case .nextColumn: sort(by: rows.query.order.advanced(by: 1))
        case .invert: invertOrder()
        case .saveView: askToSaveView()
        case .view5: showView(5)
        case .view6: showView(6)
        case .view7: showView(7)
        case .view8: showView(8)
        case .view9: showView(9)
        case .group: groupBy(rows.query.grouping.advanced(by: 1))
        case .hosts: toggleHosts()
        case .foldAll: foldAll()
        case .nextTab: show(rows.query.tab.advanced(by: 1))
        case .previousTab: show(rows.query.tab.advanced(by: -1))
        case .all: show(.all)
        case .data: show(.data)
        case .upload: show(.upload)
        case .download: show(.download)
        case .details: openDetails()
        case .pane: details.pane = details.pane.advanced(by: 1)
        case .graph: toggleGraph()
        case .nextPart: changeDetailsTab(by: 1)
        case .previousPart: changeDetailsTab(by: -1)
        case .time: list.timeColumn = list.timeColumn.advanced(by: 1)
        case .follow: toggleFollowing()
        case .add: overlay = .addForm(AddForm(defaults: jobDefaults))
        case .edit: return current.map { [.edit($0.id)] } ?? []
        case .clear: return clearDone()
        case .clearEnded: askToClear()
        case .copyURL: return [.quote(targets.map(\.id), asCommands: false)]
        case .copyAsCurl: return [.quote(targets.map(\.id), asCommands: true)]
        case .log: overlay = .eventLog(0)
        case .options: overlay = .options(OptionsMenu())
        case .freeze: toggleFreeze()
        case .mouse: return toggleMouse()
        case .cancelKeepingParts: return cancel(deletingParts: false)
        case .cancelDeletingParts: return cancel(deletingParts: true)
        case .quitFromDialog, .quitNow: return [.quit]
        case .quitWhenDone: leaveWhenDone()
        case .clearFromDialog: return clearEnded()
        case .declineDialog, .clearFilter, .cancelPrompt, .cancelForm, .cancelEdit, .closeHelp, .closePalette:
            closeOverlay()
        case .stay: stay()
        case .previousButton: moveButton(by: -1)
        case .nextButton: moveButton(by: 1)
        case .pressButton: return pressButton()
        case .chooseSort: chooseSort()
        case .toggleState: toggleState()
        case .closeStateMenu, .closeMenu: closeMenu()
        case .nextValue: return changeOption(by: 1)
        case .previousValue: return changeOption(by: -1)
        case .moveColumnLeft: moveColumn(by: -1)
        case .moveColumnRight: moveColumn(by: 1)
        case .widenColumn: widenColumn(by: 2)
        case .narrowColumn: widenColumn(by: -2)
        case .usualColumn: resetColumnWidth()
        case .saveOptions: return saveOptions()
        case .keepFilter: keepFilter()
        case .acceptPrompt: return acceptPrompt()
        case .complete: return completeField()
        case .recallEarlier: recall(by: 1)
        case .recallLater: recall(by: -1)
        case .pressForm, .saveTask: return pressForm()
        case .addAnother, .addAsNew: return acceptForm(asAnother: true)
        case .cursorLeft: moveInField(by: -1)
        case .cursorRight: moveInField(by: 1)
        case .cursorToStart: edit { $0.moveToStart() }
        case .cursorToEnd: edit { $0.moveToEnd() }
        case .deleteBackward: edit { $0.deleteBackward() }
        case .deleteForward: edit { $0.deleteForward() }
        case .deleteWord: edit { $0.deleteWord() }
        case .clearField: edit { $0.clear() }
        case .deleteToEnd: edit { $0.deleteToEnd() }
        case .help: openHelp()
        case .palette: openPalette()
        case .runCommand: return runHighlighted()
        case .quit: return askToQuit()
        case .back, .stepBack: stepBack()
        case .interrupt: return interrupt()
        case .redraw: return [.redrawAll]
        case .suspend: return [.suspendProgram]
        }
        return []
    }
}
