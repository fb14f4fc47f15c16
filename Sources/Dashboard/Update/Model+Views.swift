extension Model {
    /// Shows the saved view of a digit.
    mutating func showView(_ digit: Int) {
        guard let view = options.views[digit] else {
            return notify(
                "There is no view " + SafeText(digit) + " yet", hint: ": " + keys.key(of: .saveView) + " saves this one"
            )
        }
        list.group = nil
        list.groupingBeforeHosts = nil
        apply(view.query)
        let title = "View " + SafeText(digit) + ": " + SafeText(untrusted: view.name)
        // A file that was written by hand, or by a version that understood other words.
        guard let problem = rows.filter.problem else { return notify(title) }
        notify(title + "; its filter is not understood, so it hides nothing: " + problem, isError: true)
    }

    /// Asks for the digit and the name under which the view is saved.
    mutating func askToSaveView() {
        let free = SavedView.digits.first { options.views[$0] == nil }
        // A digit alone forgets its view, so one that is taken has to be typed.
        overlay = .prompt(Prompt(purpose: .saveView, field: TextField(free.map { "\($0) " } ?? "")))
    }

    /// Saves the view under what was typed, or forgets the one of a digit that stands alone.
    mutating func saveView(_ answer: String, _ prompt: Prompt) -> [Effect] {
        let parts = answer.split(separator: " ", maxSplits: 1)
        let name = parts.count > 1 ? String(parts[1]).trimmed : ""
        let digit = parts.first.flatMap { Int($0) }.flatMap { SavedView.digits.contains($0) ? $0 : nil }
        guard let digit, !name.isEmpty || options.views[digit] != nil else {
            return refuse("A digit from 5 to 9 and a name, such as 5 big files", prompt)
        }
        guard !name.contains(where: { "|#".contains($0) }) else {
            return refuse("A name has no | and no #", prompt)
        }
        if let problem = rows.filter.problem { return refuse("The filter is not understood: " + problem, prompt) }
        guard name.isEmpty || !rows.query.filter.contains(" #") else {
            return refuse("A filter with a # behind a blank cannot be saved", prompt)
        }
        overlay = nil
        let view = name.isEmpty ? nil : SavedView(name: name, query: rows.query)
        options.views[digit] = view
        return [.saveSettings([.view(digit, view)])]
    }

    private mutating func refuse(_ problem: SafeText, _ prompt: Prompt) -> [Effect] {
        var prompt = prompt
        prompt.problem = problem
        overlay = .prompt(prompt)
        return []
    }
}
