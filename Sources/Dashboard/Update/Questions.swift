/// The questions: their text, and their tasks; the buttons are commands of their screens.
extension Question {
    /// The question before transfers are cancelled: it names them and what is lost.
    package static func cancelling(_ ids: [UInt64]) -> Question {
        Question(on: .cancelDialog, about: ids) { question, _ in
            QuestionText(title: "Cancel " + SafeText.tasks(question.ids.count) + "?", tasks: question.ids)
        }
    }

    /// The question before rows are removed that leave files or transfers behind: it says which.
    package static func removing(_ ids: [UInt64]) -> Question {
        Question(on: .removeDialog, about: ids) { question, model in
            let rows = question.ids.compactMap { model.rows.figures(of: $0) }
            // Rows keep their marks while a filter or a tab hides them.
            let hidden = model.details.fullScreenID == nil ? question.ids.count { !model.rows.isShown($0) } : 0
            let unseen: [SafeText] = hidden > 0 ? [SafeText(hidden) + " of them not in this view."] : []
            return QuestionText(
                title: "Remove " + SafeText.tasks(question.ids.count) + " from the list?",
                name: rows.count == 1 ? rows.first.flatMap { model.rows[$0.id]?.name } : nil,
                lines: unseen + Leftovers(of: rows).sentences(isOne: question.ids.count == 1))
        }
    }

    /// The question before failed and cancelled rows are cleared too: it counts each of them.
    package static func clearing(_ ids: [UInt64]) -> Question {
        Question(on: .clearDialog, about: ids) { question, model in
            let rows = question.ids.compactMap { model.rows.figures(of: $0) }
            let counts = [RowState.done, .failed, .cancelled].compactMap { state -> SafeText? in
                let count = rows.count { $0.state == state }
                return count > 0 ? SafeText(count) + " " + state.word : nil
            }
            var lines: [SafeText] = ["Out of the list: " + counts.joined(by: ", ") + "."]
            let hidden = model.rows.counts.ended - question.ids.count
            if hidden > 0 { lines.append(SafeText(hidden) + " more that the tab or the filter hides will stay.") }
            let left = Leftovers(of: rows)
            if left.files + left.parts > 0 {
                let what: SafeText =
                    left.parts == 0 ? "Files" : left.files == 0 ? "Partial files" : "Files and partial files"
                lines.append(what + " stay.")
            }
            return QuestionText(
                title: "Clear " + SafeText.tasks(question.ids.count) + "?", lines: lines, keepsGap: true)
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
                lines: rows.isEmpty ? ["Nothing is interrupted by leaving."] : model.whatLeavingMeans(for: rows),
                keepsGap: true, width: 46)
        }
    }
}

extension Leftovers {
    fileprivate func sentences(isOne: Bool) -> [SafeText] {
        [
            Self.sentence(
                live, one: isOne ? "It is under way: it stops." : "1 is under way: it stops.",
                more: " are under way: they stop."),
            Self.sentence(
                files, one: isOne ? "Its file is there." : "1 file is there.", more: " files are there."),
            Self.sentence(
                parts, one: isOne ? "Its partial file is there." : "1 partial file is there.",
                more: " partial files are there."),
        ].compactMap(\.self)
    }

    private static func sentence(_ count: Int, one: SafeText, more: SafeText) -> SafeText? {
        count == 0 ? nil : count == 1 ? one : SafeText(count) + more
    }
}

extension Model {
    /// The last transfer may end while the question is shown.
    fileprivate func titleOfLeaving(_ rows: [RowFigures]) -> SafeText {
        guard !rows.isEmpty else { return "Everything has ended" }
        let live = rows.count(where: \.state.isLive)
        guard live > 0 else { return SafeText.tasks(rows.count) + (rows.count == 1 ? " loses" : " lose") + " bytes" }
        let count = SafeText(live) + (live == 1 ? " transfer" : " transfers")
        return leavesWhenDone ? "Waiting for " + count : count + (live == 1 ? " is" : " are") + " under way"
    }

    fileprivate func whatLeavingMeans(for live: [RowFigures]) -> [SafeText] {
        let waiting: [SafeText] = leavesWhenDone ? ["netdash leaves when they have ended."] : []
        return waiting + (keepsParts ? whatIsKept(of: live) : ["Nothing of the demo is kept."])
    }

    private func whatIsKept(of live: [RowFigures]) -> [SafeText] {
        let resumable = live.filter { $0.canResume || $0.moved == 0 }.count
        let unsure = live.filter { $0.continuation == .unknown && $0.moved > 0 }
        let lost = live.filter { $0.continuation == .no && $0.moved > 0 }
        let next: SafeText = isSaved ? "next time" : "when added again"
        var texts: [SafeText] = []
        if !isSaved {
            texts.append("This list is not saved; partial files are kept.")
        } else if resumable > 0 || !unsure.isEmpty {
            texts.append("Save and quit: go on next time.")
        }
        if resumable > 0 { texts.append(SafeText.tasks(resumable) + " can go on " + next + ".") }
        if !unsure.isEmpty { texts.append(Self.kinds(of: unsure) + " may start again.") }
        if !lost.isEmpty { texts.append(Self.kinds(of: lost) + " would start again.") }
        return texts
    }

    /// The numbers of each kind in words, such as `1 upload and 2 data requests`.
    private static func kinds(of rows: [RowFigures]) -> SafeText {
        let kinds: [(kind: Job.Kind, one: SafeText)] = [
            (.download, "download"), (.upload, "upload"), (.data, "data request"),
        ]
        let parts = kinds.compactMap { kind, one -> SafeText? in
            let count = rows.count { $0.kind == kind }
            return count > 0 ? SafeText(count) + " " + one + (count == 1 ? "" : "s") : nil
        }
        guard let last = parts.last, parts.count > 1 else { return parts.joined(by: "") }
        return parts.dropLast().joined(by: ", ") + " and " + last
    }
}
