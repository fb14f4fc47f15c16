extension SafeText {
    /// Cut at its end to a number of cells.
    func cut(_ limit: Int, in canvas: Canvas) -> SafeText {
        SafeText(untrusted: canvas.run(self).cut(limit, ellipsis: canvas.ellipsis).text)
    }

    /// Cut in its middle to a number of cells.
    func middleCut(_ limit: Int, in canvas: Canvas) -> SafeText {
        SafeText(untrusted: canvas.run(self).middleCut(limit, ellipsis: canvas.ellipsis).text)
    }
}
