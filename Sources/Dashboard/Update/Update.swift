/// Applies a message to the model and returns the requested effects.
///
/// Pure: the same arguments give the same result.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
    var effects: [Effect] = []
    switch message {
    case .key(let key): effects = model.press(key)
    case .paste(let text): model.paste(text)
    case .resized(let size): model.size = Size(columns: max(size.columns, 1), rows: max(size.rows, 1))
    case .rows(let snapshots): model.receive(snapshots)
    case .figures(let figures): model.receive(figures)
    case .removed(let ids):
        model.forget(ids)
        model.leaveOutGoneTasks()
    case .backoffs(let servers): model.backoffs.replace(with: servers)
    case .limited(let counts): model.backoffs.limit(counts)
    case .bounded(let rates): model.adoptLimits(rates)
    case .configured(let limits, let plan): (model.options.limits, model.options.rates) = (limits, plan)
    case .details(let id, let details): model.accept(details, of: id)
    case .edit(let id, let job, let problem): model.edit(job, of: id, problem: problem)
    case .connections(let names): model.connections.replace(with: names)
    case .destinations(let files): model.askForPaths(of: files)
    case .viewable(let path, let isTemporary): effects = [.page(path: path, isTemporary: isTemporary)]
    case .quoted(let text, let sentence):
        model.notify(sentence)
        effects = [.copy(text)]
    case .notMoved(let places): model.undo.forgetMoves(of: places)
    case .notAmended: model.undo.takeBack(model.reasonAfterEditing)
    case .unanswered(let command): model.accept(silenceAbout: command)
    case .repetitions(let count, let total): model.reportRepetitions(count, of: total)
    case .completions(let start, let paths): model.complete(start, with: paths)
    case .list(let jobs, let problem): effects = model.acceptList(jobs, problem: problem)
    case .lookedUp(let job, let info): model.accept(info, of: job)
    case .settingsSaved(let lines, let path): model.acceptSaved(lines, path: path)
    case .picked(let id): model.pick(id)
    case .pickedGroup(let number): model.pick(group: number)
    case .tabbed(let tab): if model.screen == .list { model.show(tab) }
    case .ordered(let column): if model.screen == .list { model.chooseSort(column) }
    case .scrolled(let lines): model.move(by: lines)
    case .clock(let time): model.advance(to: time)
    case .timeOfDay(let milliseconds): model.dayClock.read(milliseconds, at: model.now)
    case .chosen(let index): effects = model.choose(index)
    case .detailsTab(let tab): model.show(tab)
    case .toast(let text, let isError): model.notify(text, isError: isError, isAnswer: !isError)
    case .withdrawn(let text): model.toasts.withdraw(text)
    case .log(let entries): if model.log.isRead { model.log.replace(with: entries) }
    case .logged(let entries): model.receive(log: entries)
    case .announce(let announcement): effects = [.announce(announcement)]
    case .notSaved: model.isSaved = false
    case .remaining(let ids):
        model.forgetAll(but: Set(ids))
        model.leaveOutGoneTasks()
    case .reading(let isReading): model.isReading = isReading
    case .totals(let totals): model.adopt(totals)
    case .owned(let owner):
        let wasAway = model.isServiceAway
        model.owner = owner
        if model.isServiceAway {
            model.rates.stop()
        } else if wasAway {
            // What ended meanwhile is told now.
            model.rates.restart(rows: model.rows, now: model.now)
        }
    case .serviceRestarted: if !model.undo.isEmpty { effects = model.endUndo(UndoReasons.serviceRestarted) }
    case .leftovers(let parts, let problem): model.accept(leftovers: parts, problem: problem)
    case .history(let page, let problem): model.accept(history: page, problem: problem)
    case .resumedFromBackground:
        model.rates.restart(rows: model.rows, now: model.now)
        effects = [.redrawAll]
    case .allWorkEnded, .terminate: effects = [.quit]
    }
    return effects + model.settle()
}

extension Model {
    /// What follows every message.
    fileprivate mutating func settle() -> [Effect] {
        followEnds()
        askAboutFiles()
        dropMootToasts()
        keepSelection()
        return countConnections() + watchCurrent() + readLog() + readHistoryAgain() + lookUpDestination()
            + leaveIfDone() + selectRows()
    }

    fileprivate mutating func press(_ key: KeyPress) -> [Effect] {
        toasts.hurry(now: now)
        let isTypedAhead = isTypedAhead
        let wasAskingAboutFile = screen == .fileDialog
        keyedAt = now
        guard let command = keys.command(for: key, on: screen) else {
            if screen == .details, let command = keys.command(for: key, on: .list) {
                return nothingHit(TaskReasons.onlyInList(command.title, keys.key(of: .back)))
            }
            if case .character(let character) = key { return type(character) }
            return []
        }
        if let reason = command.reason(in: self) { return nothingHit(reason) }
        if isTypedAhead, command.answersAboutFile {
            notify(ViewToasts.askedJustNow)
            return []
        }
        let effects = command.run(&self)
        tour?.notice(command)
        if command.answersAboutFile { expectAnswers() }
        // A user who has just answered one expects the question about the next file.
        if wasAskingAboutFile { askAboutFiles(after: .answerByKey) }
        return effects
    }
}
