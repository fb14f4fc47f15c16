import Foundation

/// The figures of a run as a table, to be pasted into the document of figures.
struct Report {
    private var figures: [Figure] = []

    mutating func add(_ figure: Figure) { figures.append(figure) }

    /// Whether a figure is above its limit.
    var hasMissed: Bool { figures.contains { !$0.isMet } }

    func print() {
        Swift.print("| | measured | limit | |\n|---|---:|---:|---|")
        for figure in figures {
            let verdict = figure.isMet ? "met" : "**missed**"
            Swift.print(
                "| \(figure.name) | \(Self.text(figure.value)) \(figure.unit) | \(Self.text(figure.limit)) | \(verdict) |"
            )
        }
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(format: "%.2f", value)
    }
}
