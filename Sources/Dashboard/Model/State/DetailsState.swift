/// The state of the details, in their pane and on the full screen.
package struct DetailsState: Sendable, Equatable {
    /// The size of the details beside the list.
    package var pane: DetailsPane = .small
    /// Whether the pane shows the graph of all rates instead.
    package var showsGraph = false
    /// The transfer whose details fill the screen; nil while the list is shown.
    package var fullScreenID: UInt64?
    package var tab: DetailsTab = .overview
    /// Lines scrolled off the top of the full screen.
    package var top = 0
    /// Cells scrolled off the left of the full screen.
    package var left = 0
    /// The search in the full-screen details; nil without one.
    package var search: DetailsSearch?
    /// Whether secret header values are shown; reset when the selection moves on.
    var revealsSecrets = false
    /// The transfer whose details are on the screen and therefore requested.
    var watchedID: UInt64?
    /// The details of the selected row; nil until they have arrived.
    package var rowDetails: RowDetails?
    /// The watched transfer's body, if it is JSON.
    package var json: JSONView?
}

/// The size of the details on the list screen, under the words of the configuration file.
package enum DetailsPane: String, Sendable, CaseIterable {
    case off, small, large
}

/// The parts of the full-screen details.
package enum DetailsTab: Int, Sendable, CaseIterable {
    case overview, headers, timing, connection, resume, log, graph, body

    /// The name on the screen.
    package var title: SafeText {
        switch self {
        case .overview: DetailsTabLabels.overview
        case .headers: DetailsTabLabels.headers
        case .timing: DetailsTabLabels.timing
        case .connection: DetailsTabLabels.connection
        case .resume: DetailsTabLabels.resume
        case .log: DetailsTabLabels.log
        case .graph: DetailsTabLabels.graph
        case .body: DetailsTabLabels.body
        }
    }
}

/// The search in the full-screen details.
///
/// It stays when another part is shown, so that it can be repeated there.
package struct DetailsSearch: Sendable, Equatable {
    /// The current match: its line, and its ordinal among all matching lines.
    package struct Match: Sendable, Equatable {
        /// The line's number in the shown part, from 0.
        package var line: Int
        /// The line's number among the matching lines, from 1.
        package var ordinal: Int
        package var count: Int
    }

    package var text: TextSearch
    /// The line found last; nil if none was found, or since another part is shown.
    package var match: Match?
}
