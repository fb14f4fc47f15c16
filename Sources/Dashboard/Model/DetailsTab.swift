/// The parts of the full-screen details.
package enum DetailsTab: Int, Sendable, CaseIterable {
    case overview, headers, timing, connection, resume, log, body

    /// Its word.
    package var title: SafeText {
        switch self {
        case .overview: "Overview"
        case .headers: "Headers"
        case .timing: "Timing"
        case .connection: "Connection"
        case .resume: "Resume"
        case .log: "Log"
        case .body: "Body"
        }
    }

    /// The tab so many steps on, round and round.
    package func advanced(by steps: Int) -> DetailsTab {
        let count = DetailsTab.allCases.count
        return DetailsTab.allCases[((rawValue + steps) % count + count) % count]
    }
}
