package import Dashboard

/// Draws the model at a size.
///
/// Pure, and defined for every size, 0 x 0 included.
package func view(_ model: Model, size: Size, capabilities: ViewCapabilities) -> Surface {
    var canvas = Canvas(size: size, capabilities: capabilities)
    if model.details.fullScreenID != nil, let row = model.current {
        DetailsScreen(model: model, row: row).draw(on: &canvas)
    } else {
        ListScreen(model: model, layout: ScreenLayout(size: size, pane: model.details.pane)).draw(on: &canvas)
    }
    OverlayView(model: model).draw(on: &canvas)
    return canvas.surface
}

/// The main screen: header, tabs, table, details, footer.
private struct ListScreen {
    let model: Model
    let layout: ScreenLayout

    func draw(on canvas: inout Canvas) {
        HeaderView(model: model).draw(lines: layout.header, foldsTabs: layout.foldsTabs, on: &canvas)
        // Wider or higher windows have words for it.
        if model.isUnsaved, layout.rule == nil, canvas.size.columns < 40 || layout.footer == nil,
            let row = layout.header.first
        {
            canvas.draw(Glyphs.unsaved, row: row, column: 0, role: .filter)
        }
        if let row = layout.tabs { TabsView(model: model).draw(row: row, on: &canvas) }
        let table = TableView(
            model: model, columns: TableColumns(width: canvas.size.columns, options: model.options))
        if let row = layout.columnTitles { table.drawTitles(row: row, on: &canvas) }
        let shown = table.draw(lines: layout.table, on: &canvas)
        if let row = layout.rule { RuleView(model: model, shown: shown).draw(row: row, on: &canvas) }
        if model.details.showsGraph {
            GraphPaneView(model: model).draw(lines: layout.details, on: &canvas)
        } else if let group = model.currentGroup {
            DetailsLines.draw(
                DetailLineList(GroupContent(model: model, group: group).lines), rows: layout.details,
                columns: 1..<max(canvas.size.columns - 1, 1), on: &canvas)
        } else {
            DetailsPaneView(model: model).draw(lines: layout.details, on: &canvas)
        }
        if let row = layout.footer { drawFooter(row: row, on: &canvas) }
        drawToast(on: &canvas)
    }

    private func drawFooter(row: Int, on canvas: inout Canvas) {
        if case .filter(let field) = model.overlay {
            FooterView.drawPrompt(field, model: model, row: row, showsProblem: false, on: &canvas)
            return
        }
        let isShort = layout.rule == nil && canvas.size.rows < 8
        // In a narrow window nothing else says that the program will quit.
        let quits = canvas.size.columns < 40 && model.leavesWhenDone
        let position = isShort ? quits ? RuleLabels.quits : RuleView.position(model) : .empty
        let isFolded = layout.rule == nil && canvas.size.columns >= 40
        let leading = [
            position, isFolded && model.isUnsaved ? RuleLabels.unsaved : .empty,
            isFolded && model.isSaved && model.hasNamedSession ? sessionName(in: canvas) : .empty,
            isFolded ? RuleView.leaving(model) : .empty,
        ].joined(by: " · ")
        FooterView(model: model, screen: .list).draw(row: row, leading: leading, on: &canvas)
    }

    /// The name of the saved session if only the footer shows it, cut because the keys beside it need cells too.
    private func sessionName(in canvas: Canvas) -> SafeText { (model.sessionName ?? "").cut(12, in: canvas) }

    /// Draws a toast on its own line, else over details or rule, else over the footer or the header: never over a row
    /// of the table.
    private func drawToast(on canvas: inout Canvas) {
        // A filter's fault is shown with its prompt for as long as it exists.
        if case .filter = model.overlay, let problem = model.rows.filter.problem, let footer = layout.footer {
            let row = layout.rule == nil ? layout.header.first : layout.toast ?? footer - 1
            if let row { ToastView.draw(problem, row: row, on: &canvas) }
            return
        }
        if case .filter = model.overlay, layout.rule == nil { return }
        let lines = linesForMessages
        // The invitation is in the footer too, which it would cover in a low window with the keys that leave.
        if let tour = model.tourLine, layout.rule != nil || model.tour?.isInProgress == true {
            if let row = lines.first { ToastView.draw(tour, row: row, on: &canvas) }
            if let toast = model.toasts.current, let row = lines.last { ToastView.draw(toast, row: row, on: &canvas) }
        } else if let toast = model.toasts.current, let row = lines.first {
            ToastView.draw(toast, row: row, on: &canvas)
        }
    }

    /// The line for messages, and another one while the tour has that one.
    private var linesForMessages: [Int] {
        guard let footer = layout.footer else { return layout.header.last.map { [$0] } ?? [] }
        if let toast = layout.toast { return [toast, toast - 1] }
        return layout.rule == nil ? [footer] + layout.header.suffix(1) : [footer - 1, footer]
    }
}
