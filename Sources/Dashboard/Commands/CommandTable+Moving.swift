extension CommandTable {
    static var movement: [Command] {
        [
            Command(
                "up", [.up, .character("k"), .control("p")], on: .scrolling, "Up",
                help: "Move up",
                change: { $0.move(by: -1) }),
            Command(
                "down", [.down, .character("j"), .control("n")], on: .scrolling, "Down",
                help: "Move down",
                change: { $0.move(by: 1) }),
            Command(
                "page-up", [.pageUp, .control("b")], on: .scrolling, "Page up",
                help: "Move up by a page",
                change: { $0.movePage(-1) }),
            Command(
                "page-down", [.pageDown, .control("f")], on: .scrolling, "Page down",
                help: "Move down by a page",
                change: { $0.movePage(1) }),
            Command(
                "half-up", [.control("u")], on: [.list, .details, .eventLog, .history], "Half up",
                help: "Move up by half a page",
                change: { $0.movePage(-1, half: true) }),
            Command(
                "half-down", [.control("d")], on: [.list, .details, .eventLog, .history], "Half down",
                help: "Move down by half a page",
                change: { $0.movePage(1, half: true) }),
            Command(
                "first", [.home, .character("g")], on: .scrolling.filter { !$0.takesText }, "First",
                help: "Move to the first line",
                change: { $0.moveToEnd(-1) }),
            Command(
                "last", [.end, .character("G")], on: .scrolling.filter { !$0.takesText }, "Last",
                help: "Move to the last line",
                change: { $0.moveToEnd(1) }),
            Command(
                "left", [.left, .character("h")], on: [.list, .details], "Left",
                help: "Scroll left; leave the details at the left edge",
                change: { $0.scrollSideways(by: -8) }),
            Command(
                "right", [.right, .character("l")], on: [.list, .details], "Right",
                help: "Scroll right; open the details at the right edge",
                change: { $0.scrollSideways(by: 8) }),
            Command(
                "next-failed", [.character("n")], on: [.list], "Next failed",
                help: "Move to the next failed task",
                also: "error failure problem",
                needs: .failedTaskInView,
                change: { $0.moveToFailed(1) }),
            Command(
                "previous-failed", [.character("N")], on: [.list], "Previous failed",
                help: "Move to the previous failed task",
                also: "error failure problem",
                needs: .failedTaskInView,
                change: { $0.moveToFailed(-1) }),
            Command(
                "next-match", [.character("n")], on: [.details], "Next match",
                help: "Move to the next match",
                needs: .search,
                change: { $0.goToMatch(1) }),
            Command(
                "previous-match", [.character("N")], on: [.details], "Previous match",
                help: "Move to the previous match",
                needs: .search,
                change: { $0.goToMatch(-1) }),
        ]
    }

    static var marks: [Command] {
        [
            Command(
                "mark", [.character(" "), .insert], on: [.list], "Mark",
                help: "Toggle the mark and move down",
                also: "select tag choose", footer: 6,
                needs: .taskInView,
                change: { $0.toggleMark() }),
            Command(
                "range", [.character("V")], on: [.list], "Range",
                help: "Start or end a range of marks",
                also: "select several",
                needs: .taskInView,
                change: { $0.toggleRange() }),
            Command(
                "mark-all", [.character("A")], on: [.list], "Mark all",
                help: "Mark all tasks in this view",
                also: "select everything", footer: 10,
                needs: .taskInView,
                change: { model in
                    model.list.marks.formUnion(model.rows.shownIDs)
                    let shown = model.rows.shownCount
                    guard shown < model.rows.count else { return }
                    let hidden = model.list.marks.count { !model.rows.isShown($0) }
                    model.report(TaskToasts.marked(shown), hidden > 0 ? TaskToasts.hiddenStayMarked(hidden) : "")
                }),
            Command(
                "unmark-all", [.character("U")], on: [.list], "Unmark all",
                help: "Remove all marks",
                also: "deselect clear none", footer: 10,
                needs: .model(TaskReasons.nothingMarked) { !$0.list.marks.isEmpty },
                change: { ($0.list.marks, $0.list.rangeStart) = ([], nil) }),
            Command(
                "invert-marks", [.character("i")], on: [.list], "Invert marks",
                help: "Invert the marks in this view",
                also: "toggle select reverse",
                needs: .taskInView,
                change: { $0.list.marks.formSymmetricDifference($0.rows.shownIDs) }),
        ]
    }
}
