/// The line that says what happened.
enum ToastView {
    static func draw(_ toast: Toast, row: Int, on canvas: inout Canvas) {
        var text = toast.text
        if toast.isError { text = Glyphs.state(.failed, in: canvas.capabilities.glyphs) + " " + text }
        if toast.count > 1 {
            text += (canvas.capabilities.glyphs == .ascii ? " x" : " ×") + SafeText(toast.count)
        }
        let role: Role = toast.isError ? .toastError : .toast
        canvas.fill(row: row, columns: 0..<canvas.size.columns)
        canvas.drawCut(text, row: row, column: 1, limit: canvas.size.columns - 2, role: role)
    }
}
