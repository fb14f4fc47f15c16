/// The main screen: header, tabs, table, details, footer.
struct ListScreen {
    let model: Model
    let layout: ScreenLayout

    func draw(on canvas: inout Canvas) {
        HeaderView(model: model).draw(lines: layout.header, foldsTabs: layout.foldsTabs, on: &canvas)
        if let row = layout.tabs { TabsView(model: model).draw(row: row, on: &canvas) }
        let table = TableView(model: model, columns: TableColumns(width: canvas.size.columns))
        if let row = layout.columnTitles { table.drawTitles(row: row, on: &canvas) }
        let shown = table.draw(lines: layout.table, on: &canvas)
        if let row = layout.rule { RuleView(model: model, shown: shown).draw(row: row, on: &canvas) }
        DetailsPaneView(model: model).draw(lines: layout.details, on: &canvas)
        if let row = layout.footer { drawFooter(row: row, on: &canvas) }
        drawToast(on: &canvas)
    }

    private func drawFooter(row: Int, on canvas: inout Canvas) {
        if case .filter(let field) = model.overlay {
            FooterView.drawPrompt(field, model: model, row: row, on: &canvas)
            return
        }
        let position = layout.rule == nil && canvas.size.rows < 8 ? RuleView.position(model) : .empty
        FooterView(model: model, screen: .list).draw(row: row, leading: position, on: &canvas)
    }

    private func drawToast(on canvas: inout Canvas) {
        guard let toast = model.toasts.current, let footer = layout.footer else { return }
        ToastView.draw(toast, row: layout.toast ?? footer - 1, on: &canvas)
    }
}
