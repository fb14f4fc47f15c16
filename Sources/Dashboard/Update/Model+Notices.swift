extension Model {
    /// Shows a line above the footer.
    mutating func notify(_ text: SafeText, isError: Bool = false) {
        let duration = isError ? Toast.errorDuration : Toast.duration
        toasts.show(text, isError: isError, duration: duration, now: now)
    }

    /// `1 task`, `3 tasks`.
    package static func tasks(_ count: Int) -> SafeText {
        SafeText(count) + (count == 1 ? " task" : " tasks")
    }

    /// Says how many tasks a key has hit, and how many it passed over.
    package mutating func report(_ verb: SafeText, hit: Int, skipped: Int, offersUndo: Bool = false) {
        var text = verb + " " + Model.tasks(hit)
        if skipped > 0 { text += ", " + SafeText(skipped) + " skipped" }
        if offersUndo { text += " (" + keys.key(of: "undo") + " undo)" }
        let duration = offersUndo ? Toast.undoDuration : Toast.duration
        toasts.show(text, isError: false, duration: duration, now: now)
    }
}
