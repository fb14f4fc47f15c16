/// Where a response names its next page.
package enum PageSource: Sendable, Equatable {
    /// `Link: <URL>; rel="next"` (RFC 8288).
    case links
    /// A value of the JSON body.
    case path(JSONQuery)
}

/// The pages of one request so far.
package struct PageTrail: Sendable, Equatable {
    /// The step after a page.
    package enum Step: Sendable, Equatable {
        case next(String)
        case last
        /// The limit is reached, and pages are left.
        case limit
        /// The next page is one of the trail.
        case loop(String)
    }

    private var seen: Set<String>

    package init(first url: String) {
        seen = [url]
    }

    /// The step to the page that a response names; nil for none.
    package mutating func step(to url: String?, limit: Int) -> Step {
        guard let url else { return .last }
        guard !seen.contains(url) else { return .loop(url) }
        guard seen.count < limit else { return .limit }
        seen.insert(url)
        return .next(url)
    }
}
