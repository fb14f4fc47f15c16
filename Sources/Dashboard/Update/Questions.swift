/// The questions: their text, and their tasks; the buttons are commands of their screens.
extension Question {
    /// The question before transfers are cancelled: it names them, what is lost, and the partial files that one of its
    /// buttons deletes.
    package static func cancelling(_ ids: [UInt64]) -> Question {
        Question(on: .cancelDialog, about: ids) { question, model in
            let parts = Leftovers(of: question.ids.compactMap { model.rows.figures(of: $0) }).parts
            let line =
                model.rows.totals != nil
                ? QuestionLines.partsAtWorkers
                : question.ids.count == 1 ? QuestionLines.partOnDisk : QuestionLines.partsOnDisk(parts)
            return QuestionText(
                title: Questions.cancel(question.ids.count), tasks: question.ids, lines: parts == 0 ? [] : [line])
        }
    }

    /// The question before rows are removed that leave files or transfers behind: it says which.
    package static func removing(_ ids: [UInt64]) -> Question {
        Question(on: .removeDialog, about: ids) { question, model in
            let rows = question.ids.compactMap { model.rows.figures(of: $0) }
            // Rows keep their marks while a filter or a tab hides them.
            let hidden = model.details.fullScreenID == nil ? question.ids.count { !model.rows.isShown($0) } : 0
            let unseen: [SafeText] = hidden > 0 ? [QuestionLines.outOfView(hidden)] : []
            return QuestionText(
                title: Questions.remove(question.ids.count),
                names: model.firstNames(of: question.ids), count: rows.count,
                lines: unseen + Leftovers(of: rows).sentences(isOne: question.ids.count == 1))
        }
    }

    /// The question before failed and cancelled rows are cleared too: it counts each of them.
    package static func clearing(_ ids: [UInt64]) -> Question {
        Question(on: .clearDialog, about: ids) { question, model in
            let rows = question.ids.compactMap { model.rows.figures(of: $0) }
            let counts = [RowState.done, .failed, .cancelled].compactMap { state -> SafeText? in
                let count = rows.count { $0.state == state }
                return count > 0 ? QuestionLines.count(count, state.word) : nil
            }
            var lines: [SafeText] = [QuestionLines.removes(counts.joined(by: ", "))]
            let hidden = model.rows.counts.ended - question.ids.count
            if hidden > 0 { lines.append(QuestionLines.hiddenKept(hidden)) }
            let left = Leftovers(of: rows)
            if left.files + left.parts > 0 {
                lines.append(left.files == 0 ? QuestionLines.partsKept : QuestionLines.filesKept)
            }
            return QuestionText(
                title: Questions.clear(question.ids.count), names: model.firstNames(of: question.ids),
                count: rows.count, lines: lines, keepsGap: true)
        }
    }

    /// The question before the program quits while transfers are live: it says which could continue next time.
    ///
    /// Quitting keeps everything that can be kept, so there is one button for it; the other one waits for the end.
    package static var quitting: Question {
        Question(on: .quitDialog) { _, model in
            let rows = model.rows.all.filter { $0.state.isLive || $0.losesByLeaving }
            return QuestionText(
                title: model.titleOfLeaving(rows),
                lines: rows.isEmpty ? [QuestionLines.nothingInterrupted] : model.whatLeavingMeans(for: rows),
                keepsGap: true, width: 46)
        }
    }
}

extension Question {
    /// The question about an existing file that a download has found.
    package static func aboutFile(of id: UInt64) -> Question {
        Question(on: .fileDialog, about: [id]) { question, model in
            let row = question.ids.first.flatMap { model.rows[$0] }
            let others = model.undecided.unaskedCount
            let lines = [row?.path ?? row?.error, others > 0 ? QuestionLines.otherFiles(others) : nil]
            return QuestionText(
                title: Questions.fileExists, names: model.firstNames(of: question.ids),
                lines: lines.compactMap(\.self), keepsGap: true, width: 46)
        }
    }

    /// The question before a window of a service closes while transfers are live.
    package static var detaching: Question {
        Question(on: .detachDialog) { _, model in
            QuestionText(
                title: Questions.closeWindow(model.rows.counts.unfinished), lines: [QuestionLines.detachKeepsRunning],
                keepsGap: true, width: 46)
        }
    }
}

extension Leftovers {
    fileprivate func sentences(isOne: Bool) -> [SafeText] {
        [
            live == 0 ? nil : isOne ? QuestionLines.stopsTask : QuestionLines.stopsTasks(live),
            files == 0 ? nil : isOne ? QuestionLines.fileOnDisk : QuestionLines.filesOnDisk(files),
            parts == 0 ? nil : isOne ? QuestionLines.partOnDisk : QuestionLines.partsOnDisk(parts),
        ].compactMap(\.self)
    }
}

extension Model {
    /// The last transfer may end while the question is shown.
    fileprivate func titleOfLeaving(_ rows: [RowFigures]) -> SafeText {
        guard !rows.isEmpty else { return Questions.allEnded }
        let live = rows.count(where: \.state.isLive)
        guard live > 0 else { return Questions.losingBytes(rows.count) }
        return leavesWhenDone ? Questions.waiting(live) : Questions.unfinished(live)
    }

    fileprivate func whatLeavingMeans(for live: [RowFigures]) -> [SafeText] {
        let waiting: [SafeText] = leavesWhenDone ? [QuestionLines.quitsWhenDone] : []
        return waiting + (keepsParts ? whatIsKept(of: live) : [QuestionLines.demoSavesNothing])
    }

    private func whatIsKept(of live: [RowFigures]) -> [SafeText] {
        let resumable = live.filter { $0.canResume || $0.moved == 0 }.count
        let unsure = live.filter { $0.continuation == .unknown && $0.moved > 0 }
        let lost = live.filter { $0.continuation == .no && $0.moved > 0 }
        var texts = isSaved ? [] : [QuestionLines.listUnsaved]
        if resumable > 0 {
            texts.append(
                isSaved ? QuestionLines.resumeNextTime(resumable) : QuestionLines.resumeWhenAdded(resumable))
        }
        if !unsure.isEmpty { texts.append(QuestionLines.mayRestart(Self.kinds(of: unsure))) }
        if !lost.isEmpty { texts.append(QuestionLines.restarts(Self.kinds(of: lost))) }
        return texts
    }

    /// The numbers of each kind in words, such as `1 upload and 2 data requests`.
    private static func kinds(of rows: [RowFigures]) -> SafeText {
        let kinds: [(kind: Job.Kind, words: (Int) -> SafeText)] = [
            (.download, QuestionLines.downloads), (.upload, QuestionLines.uploads), (.data, QuestionLines.requests),
        ]
        let parts = kinds.compactMap { kind, words -> SafeText? in
            let count = rows.count { $0.kind == kind }
            return count > 0 ? words(count) : nil
        }
        guard let last = parts.last, parts.count > 1 else { return parts.joined(by: "") }
        return QuestionLines.and(parts.dropLast().joined(by: ", "), last)
    }
}
