import SessionSupport

/// Actions on rows and their files: removing, starting at once, fetching again, new URLs and new paths.
extension Model {
    // MARK: The menu

    /// Runs the highlighted line of the menu, or says why it cannot run now.
    mutating func chooseAction() -> [Effect] {
        guard case .actions(let menu) = overlay, keys.menu.indices.contains(menu.line) else { return [] }
        overlay = nil
        let chosen = keys.menu[menu.line]
        if let reason = chosen.reason(in: self) { return nothingHit(reason) }
        return chosen.run(&self)
    }

    // MARK: Removing

    /// Removes the targets, after a question if they leave files behind or are running.
    mutating func askToRemove() -> [Effect] {
        let rows = targets
        guard Leftovers(of: rows).isNothing else {
            overlay = .question(.removing(rows.map(\.id)))
            return []
        }
        return remove(rows.map(\.id), deletingFiles: false)
    }

    mutating func removeFromDialog(deletingFiles: Bool) -> [Effect] {
        guard let question else { return [] }
        overlay = nil
        return remove(question.ids, deletingFiles: deletingFiles)
    }

    /// Removes rows from the table; running ones are cancelled, and removed when they have ended.
    private mutating func remove(_ ids: [UInt64], deletingFiles: Bool) -> [Effect] {
        let there = ids.compactMap { rows.figures(of: $0) }
        guard !there.isEmpty else { return nothingHit(TaskReasons.alreadyRemoved) }
        let (ended, live) = (there.filter(\.state.isFinal), there.filter { !$0.state.isFinal })
        // Deleted files cannot be restored, and neither can bytes that a server would have to send again.
        let isUndoable =
            !deletingFiles && live.allSatisfy(\.canBeStoppedAndGoOn) && ended.allSatisfy { !$0.isBetweenRuns }
        var effects =
            isUndoable
            ? remember(.removed(ended.map(\.id), StoppedTasks(live)))
            : endUndo(
                deletingFiles ? UndoReasons.filesDeleted : UndoReasons.stoppedTasksRemoved)
        if !live.isEmpty {
            for row in live { endPlans[row.id] = .leaves }
            effects.append(.send(.cancel(live.map(\.id), deletingParts: deletingFiles)))
        }
        if deletingFiles {
            let downloads = ended.filter { $0.kind == .download }
            let parts = downloads.filter { $0.state != .done }.map(\.id)
            let files = downloads.filter { $0.state == .done }.map(\.id)
            if !parts.isEmpty { effects.append(.send(.cancel(parts, deletingParts: true))) }
            if !files.isEmpty { effects.append(.deleteFiles(files)) }
        }
        let repeated = ended.filter(\.isBetweenRuns).map(\.id)
        if !repeated.isEmpty { effects.append(.send(.cancel(repeated, deletingParts: false))) }
        report(
            deletingFiles ? TaskToasts.removedWithFiles(there.count) : TaskToasts.removed(there.count),
            offersUndo: isUndoable)
        setAside(ended.map(\.id))
        return effects
    }

    // MARK: New URL, new path

    /// Continues a download from the typed URL; a running one is stopped first, keeping its partial file.
    ///
    /// Returns the error in the text.
    mutating func goOn(_ id: UInt64, from text: String, _ effects: inout [Effect]) -> SafeText? {
        let url: String
        do {
            url = try AddForm.completed(text.trimmed)
        } catch {
            return error.sentence
        }
        guard !text.trimmed.isEmpty else { return FormErrors.noURL }
        guard let row = rows.figures(of: id), row.isUnfinishedDownload else {
            return TaskReasons.alreadyEnded
        }
        effects += endUndo(UndoReasons.newURL(keys.key(of: .newURL)))
        if row.state.isFinal {
            effects.append(.changeURL(id, url: url, from: .ended))
        } else {
            endPlans[id] = .changesURL(url, from: StoppedFrom(row.state))
            effects.append(.send(.cancel([id], deletingParts: false)))
            notify(TaskToasts.stoppingForURL)
        }
        return nil
    }

    /// Asks for a download's new path; the field begins with the current one.
    mutating func askForPath(_ path: String, of id: UInt64) {
        guard rows.figures(of: id)?.hasMovableFile == true else { return }
        overlay = .prompt(Prompt(purpose: .moveFile(id, from: path), field: TextField(path)))
    }

    /// Moves a download's file to the typed path; a running one is stopped first, keeping its partial file.
    ///
    /// Returns why that is impossible.
    mutating func move(
        _ id: UInt64, from path: String, to text: String, _ effects: inout [Effect]
    ) -> SafeText? {
        guard !text.trimmed.isEmpty else { return FormErrors.noPath }
        guard let row = rows.figures(of: id), row.hasMovableFile else { return TaskReasons.notMovable }
        guard row.state.isFinal || row.moved == 0 || row.canResume else {
            return TaskReasons.moveWouldLoseBytes
        }
        effects += remember(.movedFile(id, from: path)) + move(row, to: text.trimmed)
        return nil
    }

    private mutating func move(_ row: RowFigures, to path: String) -> [Effect] {
        guard !row.state.isFinal else { return [.moveFile(row.id, path: path, from: .ended)] }
        endPlans[row.id] = .moves(path, from: StoppedFrom(row.state))
        notify(row.state.isPaused ? TaskToasts.movingFile : TaskToasts.stoppingForPath)
        return [.send(.cancel([row.id], deletingParts: false))]
    }

    /// Moves a download's file back to its earlier path.
    mutating func moveBack(_ id: UInt64, to path: String) -> [Effect] {
        if case .moves(_, let before) = endPlans[id] {
            endPlans[id] = .goesOn(from: before)
            notify(TaskToasts.moveDropped)
            return []
        }
        guard let row = rows.figures(of: id), row.hasMovableFile,
            row.state.isFinal || row.moved == 0 || row.canResume
        else { return nothingHit(TaskReasons.notMovableBack) }
        return move(row, to: path)
    }

    // MARK: After the end

    /// Carries out the pending actions of rows that have ended by now.
    mutating func carryOutEndPlans() -> [Effect] {
        guard !endPlans.isEmpty, frozen == nil else { return [] }
        var effects: [Effect] = []
        let due = endPlans.keys.filter { rows.figures(of: $0)?.state.isFinal ?? true }.sorted()
        for id in due {
            guard let plan = endPlans.removeValue(forKey: id), let row = rows.figures(of: id) else { continue }
            switch plan {
            case .ends: break
            case .goesOn(let before) where row.canStart:
                effects.append(.send(.resume([id])))
                if before == .paused { effects.append(.send(.pause([id]))) }
            case .goesOn: notify(TaskToasts.doneNotCancelled)
            case .leaves: setAside([id])
            case .changesURL(let url, let before):
                guard row.state != .done else {
                    notify(TaskToasts.doneURLKept)
                    continue
                }
                effects.append(.changeURL(id, url: url, from: before))
            case .becomes(let job):
                guard row.state != .done else {
                    notify(TaskToasts.doneNotEdited)
                    continue
                }
                effects.append(.send(.replace(id, with: job)))
            case .moves(let path, let before):
                effects.append(.moveFile(id, path: path, from: row.state == .done ? .ended : before))
            }
        }
        return effects
    }
}
