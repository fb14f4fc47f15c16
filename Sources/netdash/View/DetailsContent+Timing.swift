/// How long the steps of the latest attempt took.
extension DetailsContent {
    /// Each step with a bar as long as its part of the whole.
    var timing: [DetailLine] {
        let steps = spans
        guard let longest = steps.map(\.milliseconds).max().map({ max($0, 1) }) else {
            return [DetailLine(text: "No request was answered yet", role: .dim)]
        }
        return [DetailLine(text: "Phase timing (ms)", role: .title)]
            + steps.map { step in
                let eighths = max(1, step.milliseconds * 192 / longest)
                let bar = SafeText("█") * (eighths / 8) + Glyphs.eighths[eighths % 8]
                let number = SafeText(step.milliseconds)
                let space = SafeText(" ") * max(6 - number.string.count, 1)
                return DetailLine(label: step.name, text: space + number + " " + bar)
            } + total
    }

    /// How long the attempt took, or has taken so far.
    private var total: [DetailLine] {
        guard let total = details.total else { return [] }
        let number = SafeText(total)
        return [DetailLine(label: "total", text: SafeText(" ") * max(6 - number.string.count, 1) + number)]
    }

    private var spans: [(name: SafeText, milliseconds: Int)] {
        let steps: [(SafeText, Int?)] = [
            ("dns", details.nameLookup), ("connect", details.connect), ("tls", details.secureConnect),
            ("request", details.requestSent), ("wait", details.firstByte), ("body", details.total),
        ]
        var previous = 0
        return steps.compactMap { name, end in
            guard let end, end >= previous else { return nil }
            defer { previous = end }
            return (name, end - previous)
        }
    }

    /// The steps in one line.
    var timingSummary: SafeText {
        func part(_ name: SafeText, _ value: Int?) -> SafeText { value.map { name + " " + SafeText($0) } ?? "" }
        let first = part("first byte", details.firstByte)
        return [
            part("dns", details.nameLookup), part("conn", details.connect), part("tls", details.secureConnect),
            first.isEmpty ? "" : first + " ms",
        ].joined(by: " · ")
    }
}
