extension CommandTable {
    static var finding: [Command] {
        [
            Command(
                "filter", [.character("/"), .character("\\"), .function(4)], on: [.list], "Filter",
                help: "Filter as you type: words, size:>1G, ~regex (F1: syntax)",
                also: "find search grep query match", footer: 4,
                needs: .anyTask,
                change: { model in
                    if !model.rows.query.isFiltering { model.list.cursorBeforeFilter = model.list.cursor }
                    model.overlay = .filter(TextField(model.rows.query.filter))
                }),
            Command(
                "filter-log", [.character("/"), .character("\\"), .function(4)], on: [.eventLog], "Filter",
                help: "Filter lines, same syntax as the list",
                also: "find grep", footer: 1,
                change: { model in
                    guard case .eventLog(let state) = model.overlay else { return }
                    model.overlay = .prompt(Prompt(purpose: .filterLog(state), field: TextField(state.filter)))
                }),
            Command(
                "filter-history", [.character("/"), .character("\\"), .function(4)], on: [.history], "Filter",
                help: "Filter, e.g. today, 2026-11, age:<7d, host:example.org",
                also: "find grep search", footer: 1,
                change: { model in
                    guard case .history(let state) = model.overlay else { return }
                    model.overlay = .prompt(Prompt(purpose: .filterHistory(state), field: TextField(state.filter)))
                }),
            Command(
                "search", [.character("/"), .character("\\"), .function(4)], on: [.details], "Search",
                help: "Search this tab of the details",
                also: "find grep", footer: 6,
                needs: .currentTask,
                change: { model in
                    let text = model.details.search?.text.text ?? ""
                    model.overlay = .prompt(Prompt(purpose: .search, field: TextField(text)))
                }),
            Command(
                "states", [.character("f")], on: [.list], "States",
                help: "Choose which states are shown",
                also: "status failed running done active",
                change: { model in
                    if !model.rows.query.isFiltering { model.list.cursorBeforeFilter = model.list.cursor }
                    model.overlay = .stateMenu(0)
                }),
            Command(
                "sort", [.character("s"), .function(6)], on: [.list], "Sort",
                help: "Choose the sort column",
                also: "order arrange rank by", footer: 5,
                needs: .anyTask,
                change: { $0.overlay = .sortMenu($0.rows.query.order.column.rawValue) }),
            Command(
                "previous-column", [.character("<")], on: [.list], "Previous column",
                help: "Sort by the previous column",
                change: { $0.sortRows(by: $0.rows.query.order.advanced(by: -1)) }),
            Command(
                "next-column", [.character(">")], on: [.list], "Next column",
                help: "Sort by the next column",
                change: { $0.sortRows(by: $0.rows.query.order.advanced(by: 1)) }),
            Command(
                "invert", [.character("I")], on: [.list], "Invert",
                help: "Reverse the sort order",
                also: "reverse order descending ascending",
                change: { model in
                    var order = model.rows.query.order
                    order.isInverted.toggle()
                    model.sortRows(by: order)
                }),
            Command(
                "group", [.character("&")], on: [.list], "Group",
                help: "Group by host, folder, kind, a queue's worker or none (Enter folds a group)",
                also: "cluster tree hosts folders workers",
                change: { $0.groupBy($0.nextGrouping) }),
            Command(
                "hosts", [.character("@")], on: [.list], "Hosts",
                help: "Toggle the host summary: tasks, speed, connections, last error",
                also: "servers domains connections",
                change: { $0.toggleHosts() }),
            Command(
                "fold-all", [.character(",")], on: [.list], "Fold all",
                help: "Fold or unfold all groups",
                also: "collapse expand groups",
                needs: .model(TaskReasons.noGroups) { $0.rows.query.grouping != .none },
                change: { $0.foldAll() }),
            Command(
                "next-tab", [.tab], on: [.list], "Next list tab",
                help: "Show the next tab",
                also: "switch",
                change: { $0.show($0.rows.query.tab.advanced(by: 1)) }),
            Command(
                "previous-tab", [.backTab], on: [.list], "Previous list tab",
                help: "Show the previous tab",
                also: "switch",
                change: { $0.show($0.rows.query.tab.advanced(by: -1)) }),
            Command(
                "all", [.character("1")], on: [.list], "All",
                help: "Show all tasks (also drops the filter of a saved view)",
                also: "everything tab",
                change: { $0.show(.all) }),
            Command(
                "data", [.character("2")], on: [.list], "Data",
                help: "Show data requests",
                also: "requests api",
                change: { $0.show(.data) }),
            Command(
                "upload", [.character("3")], on: [.list], "Upload",
                help: "Show uploads",
                also: "send put tab",
                change: { $0.show(.upload) }),
            Command(
                "download", [.character("4")], on: [.list], "Download",
                help: "Show downloads",
                also: "get tab",
                change: { $0.show(.download) }),
            Command(
                "view-5", [.character("5")], on: [.list], "View 5",
                help: "Show saved view 5: filter, sort order and grouping",
                also: "saved preset",
                change: { $0.showView(5) }),
            Command(
                "view-6", [.character("6")], on: [.list], "View 6",
                help: "Show saved view 6",
                also: "saved preset",
                change: { $0.showView(6) }),
            Command(
                "view-7", [.character("7")], on: [.list], "View 7",
                help: "Show saved view 7",
                also: "saved preset",
                change: { $0.showView(7) }),
            Command(
                "view-8", [.character("8")], on: [.list], "View 8",
                help: "Show saved view 8",
                also: "saved preset",
                change: { $0.showView(8) }),
            Command(
                "view-9", [.character("9")], on: [.list], "View 9",
                help: "Show saved view 9",
                also: "saved preset",
                change: { $0.showView(9) }),
            Command(
                "save-view", [.character(";")], on: [.list], "Save view",
                help: "Save filter, sort order and grouping as view 5-9",
                also: "bookmark preset layout remember",
                change: { model in
                    let free = SavedView.digits.first { model.options.views[$0] == nil }
                    // A digit alone deletes its view, so the user has to type a name after a digit that is in use.
                    model.overlay = .prompt(Prompt(purpose: .saveView, field: TextField(free.map { "\($0) " } ?? "")))
                }),
        ]
    }
}
