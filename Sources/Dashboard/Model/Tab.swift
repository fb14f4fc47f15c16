/// The tabs over the table: everything, or one kind.
package enum Tab: Int, Sendable, CaseIterable {
    case all, data, upload, download

    /// The kind it shows; nil for all of them.
    package var kind: Job.Kind? {
        switch self {
        case .all: nil
        case .data: .data
        case .upload: .upload
        case .download: .download
        }
    }

    /// Its word.
    package var title: SafeText {
        switch self {
        case .all: "All"
        case .data: "Data"
        case .upload: "Upload"
        case .download: "Download"
        }
    }

    /// Its word where room is scarce.
    var shortTitle: SafeText {
        switch self {
        case .all: "All"
        case .data: "Data"
        case .upload: "Up"
        case .download: "Down"
        }
    }

    /// The tab so many steps on, round and round.
    package func advanced(by steps: Int) -> Tab {
        let count = Tab.allCases.count
        return Tab.allCases[((rawValue + steps) % count + count) % count]
    }
}
