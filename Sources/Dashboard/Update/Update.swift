/// Applies a message to the model and returns the requested effects.
///
/// Pure: the same arguments give the same result.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
    let effects = model.apply(message)
    model.followEnds()
    model.askAboutFiles()
    model.dropMootToasts()
    model.keepSelection()
    return effects + model.countConnections() + model.watchCurrent() + model.readLog() + model.readHistoryAgain()
        + model.lookUpDestination() + model.leaveIfDone() + model.selectRows()
}

extension Model {
    fileprivate mutating func apply(_ message: Message) -> [Effect] {
        switch message {
        case .key(let key): return press(key)
        case .paste(let text): paste(text)
        case .resized(let size): self.size = Size(columns: max(size.columns, 1), rows: max(size.rows, 1))
        case .rows(let snapshots): receive(snapshots)
        case .figures(let figures): receive(figures)
        case .removed(let ids): forget(ids)
        case .backoffs(let servers): backoffs.replace(with: servers)
        case .limited(let counts): backoffs.limit(counts)
        case .bounded(let rates): adoptLimits(rates)
        case .configured(let limits, let plan): (options.limits, options.rates) = (limits, plan)
        case .details(let id, let details): accept(details, of: id)
        case .edit(let id, let job, let problem): edit(job, of: id, problem: problem)
        case .connections(let names): connections.replace(with: names)
        case .destination(let id, let path): askForPath(path, of: id)
        case .viewable(let path, let isTemporary): return [.page(path: path, isTemporary: isTemporary)]
        case .quoted(let text, let sentence):
            notify(sentence)
            return [.copy(text)]
        case .repetitions(let count): reportRepetitions(count)
        case .completions(let start, let paths): complete(start, with: paths)
        case .list(let jobs, let problem): return acceptList(jobs, problem: problem)
        case .lookedUp(let job, let info): accept(info, of: job)
        case .settingsSaved(let lines, let path): acceptSaved(lines, path: path)
        case .picked(let id): pick(id)
        case .pickedGroup(let number): pick(group: number)
        case .tabbed(let tab): if screen == .list { show(tab) }
        case .ordered(let column): if screen == .list { chooseSort(column) }
        case .scrolled(let lines): move(by: lines)
        case .clock(let time): advance(to: time)
        case .timeOfDay(let milliseconds): dayOffset = milliseconds - now
        case .chosen(let index): return choose(index)
        case .detailsTab(let tab): show(tab)
        case .toast(let text, let isError): notify(text, isError: isError, isAnswer: !isError)
        case .log(let entries): if log.isRead { log.replace(with: entries) }
        case .logged(let entries): receive(log: entries)
        case .announce(let announcement): return [.announce(announcement)]
        case .notSaved: isSaved = false
        case .remaining(let ids): forgetAll(but: Set(ids))
        case .totals(let totals): adopt(totals)
        case .owned(let owner):
            self.owner = owner
            if isServiceAway { rates.stop() }
        case .serviceRestarted: if !undo.isEmpty { return endUndo(UndoReasons.serviceRestarted) }
        case .leftovers(let parts, let problem): accept(leftovers: parts, problem: problem)
        case .history(let page, let problem): accept(history: page, problem: problem)
        case .resumedFromBackground:
            rates.restart(rows: rows, now: now)
            return [.redrawAll]
        case .allWorkEnded, .terminate: return [.quit]
        }
        return []
    }

    private mutating func press(_ key: KeyPress) -> [Effect] {
        toasts.hurry(now: now)
        guard let command = keys.command(for: key, on: screen) else {
            if case .character(let character) = key { return type(character) }
            return []
        }
        if let reason = command.reason(in: self) { return nothingHit(reason) }
        let effects = command.run(&self)
        tour?.notice(command)
        return effects
    }
}
