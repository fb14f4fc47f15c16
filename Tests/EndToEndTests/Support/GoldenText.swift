import TerminalTestSupport

/// A screen as golden files have it: its text and its cursor, without what differs from run to run.
enum GoldenText {
    /// The text of a screen.
    static func text(of screen: VirtualScreen) -> String {
        let cursor = screen.showsCursor ? "cursor at \(screen.row), \(screen.column)" : "no cursor"
        return (0..<screen.rows).map { masked(screen.text(row: $0)) }.joined(separator: "\n") + "\n\(cursor)\n"
    }

    /// A line without ports, folders, moments and measurements; what is as wide in every run keeps its width.
    static func masked(_ line: String) -> String {
        var line = line
        line.replace(/\d+\.\d+s\b/, with: "#s")
        // A field that is too small for a URL shows its end.
        line.replace(/(:|URL +)\d+\//) { hidden($0.output.0) }
        line.replace(/127\.0\.0\.1:\d+/) { String($0.output.prefix(10)) + hidden($0.output.dropFirst(10)) }
        line.replace(/\d?\d:\d\d:\d\d/) { hidden($0.output) }
        line.replace(/\b\d\d:\d\d\b/) { hidden($0.output) }
        // A resumption and the slot that follows are told by two threads.
        line.replace(/##:## (resumed|started)/, with: "##:## begun")
        line.replace(/\bin \d+s?/) { hidden($0.output) }
        line.replace(/│ \d+ s/, with: "│ # s")
        line.replace(/(queue|dns|connect|tls|request|wait|body|attempt \d+) +\d+ [█▉▊▋▌▍▎▏]+…?/) { "\($0.output.1) #" }
        // A dialog may cover the beginning of how long something took or waits.
        line.replace(/[│┘┐](i?n )?\d+(?=s?( |$))/) { hidden($0.output.0) }
        line.replace(/\btotal +\d+/, with: "total #")
        line.replace(/average [\d.]+[A-Z]*\/s/, with: "average #")
        line.replace(/^( → | from |.*File +|.*Folder +)\/.*/) { "\($0.output.1)/…" }
        // One column a second, as low as all the others.
        if line.hasSuffix("│ # s") { line = "" }
        line.replace(/[ ]*▁+/, with: "")
        return line
    }

    private static func hidden(_ text: Substring) -> String {
        String(text.map { $0.isNumber ? "#" : $0 })
    }
}
