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
        var effects = remember(
            isUndoable ? .removed(ended.map(\.id), StoppedTasks(live)) : nil,
            otherwise: deletingFiles ? UndoReasons.filesDeleted : UndoReasons.stoppedTasksRemoved)
        for row in live { endPlans[row.id] = .leaves }
        // A file that cannot be deleted keeps its row.
        let files = deletingFiles ? ended.filter { $0.kind == .download && $0.state == .done }.map(\.id) : []
        let gone = there.map(\.id).filter { !files.contains($0) }
        if !gone.isEmpty { effects.append(.send(.remove(gone, deletingParts: deletingFiles))) }
        if !files.isEmpty { effects.append(.deleteFiles(files)) }
        report(
            deletingFiles ? TaskToasts.removedWithFiles(there.count) : TaskToasts.removed(there.count),
            offersUndo: isUndoable)
        setAside(ended.map(\.id))
        if !isUndoable { rows.forgetAside(ended.map(\.id)) }
        return effects
    }

    // MARK: New URL, new path

    /// Continues a download from the typed URL; returns the error in the text.
    mutating func goOn(_ id: UInt64, from text: String, _ effects: inout [Effect]) -> SafeText? {
        let url: String
        do {
            url = try AddForm.completed(text.trimmed)
        } catch {
            return error.sentence
        }
        guard !text.trimmed.isEmpty else { return FormErrors.noURL }
        guard let row = rows.figures(of: id) else { return TaskReasons.alreadyRemoved }
        guard row.isUnfinishedDownload else { return TaskReasons.alreadyEnded }
        passUndo(UndoReasons.newURL(keys.key(of: .newURL)))
        effects.append(.changeURL(id, url: url))
        return nil
    }

    /// Begins the question where the targets' files move.
    mutating func askForPaths() -> [Effect] {
        let ids = targets.filter(\.hasMovableFile).map(\.id)
        return ids.isEmpty ? [] : [.askPaths(ids)]
    }

    /// Asks for one download's new path, or for the folder of several.
    mutating func askForPaths(of files: [FilePlace]) {
        let files = files.filter { rows.figures(of: $0.id)?.hasMovableFile == true }
        guard files.count > 1 else {
            if let file = files.first { askForPath(file.path, of: file.id) }
            return
        }
        overlay = .prompt(Prompt(purpose: .moveFiles(files), field: TextField("")))
    }

    /// Moves the files of several downloads to the typed folder, each under its name; returns why that is impossible.
    mutating func move(_ files: [FilePlace], to text: String, _ effects: inout [Effect]) -> SafeText? {
        let folder = text.trimmed
        guard !folder.isEmpty else { return FormErrors.noPath }
        let movable = files.filter { rows.figures(of: $0.id)?.canMoveFile == true }
        guard !movable.isEmpty else {
            let isGone = files.allSatisfy { rows.figures(of: $0.id) == nil }
            return isGone ? TaskReasons.alreadyRemoved : TaskReasons.moveWouldLoseBytes
        }
        let path = folder.hasSuffix("/") ? folder : folder + "/"
        effects += remember(.movedFiles(movable)) + [.moveFiles(movable, to: path)]
        report(TaskToasts.movingFiles(movable.count), skipped: files.count - movable.count)
        return nil
    }

    /// Asks for a download's new path; the field begins with the current one.
    mutating func askForPath(_ path: String, of id: UInt64) {
        guard rows.figures(of: id)?.hasMovableFile == true else { return }
        overlay = .prompt(Prompt(purpose: .moveFile(id, from: path), field: TextField(path)))
    }

    /// Moves a download's file to the typed path; returns why that is impossible.
    mutating func move(
        _ id: UInt64, from path: String, to text: String, _ effects: inout [Effect]
    ) -> SafeText? {
        guard !text.trimmed.isEmpty else { return FormErrors.noPath }
        guard let row = rows.figures(of: id) else { return TaskReasons.alreadyRemoved }
        guard row.hasMovableFile else { return TaskReasons.notMovable }
        guard row.canMoveFile else { return TaskReasons.moveWouldLoseBytes }
        effects += remember(.movedFile(id, from: path))
        effects.append(.moveFile(FilePlace(id: id, path: path), to: text.trimmed))
        return nil
    }

    /// Moves a download's file back to its earlier path.
    mutating func moveBack(_ id: UInt64, to path: String) -> [Effect] {
        guard rows.figures(of: id)?.canMoveFile == true else { return nothingHit(TaskReasons.notMovableBack) }
        return [.moveFileBack(FilePlace(id: id, path: path))]
    }

    // MARK: After the end

    /// Lets rows leave the table that were removed while they ran and have ended by now.
    mutating func followEnds() {
        guard !endPlans.isEmpty, frozen == nil else { return }
        let over = endPlans.keys.filter { rows.figures(of: $0)?.state.isFinal ?? true }.sorted()
        let leaving = over.filter { endPlans.removeValue(forKey: $0) == .leaves && rows.figures(of: $0) != nil }
        if !leaving.isEmpty { forget(leaving) }
    }
}

/// The question about existing files.
extension Model {
    /// What a question about a file follows.
    enum QuestionCause {
        case nothing, answerByKey, answerByClick
    }

    /// Asks about the next file, unless the user is busy; a question that another window has answered closes.
    mutating func askAboutFiles(after cause: QuestionCause = .nothing) {
        if case .question(let question) = overlay, question.screen == .fileDialog,
            !question.ids.contains(where: undecided.contains)
        {
            closeOverlay()
        }
        guard overlay == nil, frozen == nil, let id = undecided.next() else { return }
        var question = Question.aboutFile(of: id)
        question.openedAt = cause == .nothing ? now : nil
        question.clickedAt = cause == .answerByClick ? now : nil
        overlay = .question(question)
    }

    /// Takes further keys of a question as answers: one was meant for it.
    mutating func expectAnswers() {
        guard case .question(var question) = overlay else { return }
        question.openedAt = nil
        overlay = .question(question)
    }

    /// Whether a key pressed now may be meant for the screen below a question that has opened by itself.
    ///
    /// Its keys mean something else there: `o` would replace a file instead of opening the options. They count once
    /// keys have rested, so that a key that is held down answers nothing.
    var isTypedAhead: Bool {
        guard let openedAt = question?.openedAt else { return false }
        return now - max(openedAt, keyedAt ?? openedAt) < Question.rest
    }

    /// Answers the question, if the user wants that for every file that was not put off.
    mutating func settleFiles(_ policy: Job.IfExists) -> [Effect] {
        guard let question else { return [] }
        let ids = question.remembersAnswer ? question.ids + undecided.unasked : question.ids
        closeOverlay()
        for id in ids { undecided.forget(id) }
        return [.send(.settle(ids, policy))]
    }
}
