import SessionSupport

/// What a row says of its request and its target beside what queries ask for: one column, which is empty for nearly every
/// transfer.
///
/// Only what is not as usual is written. The checksum has a column of its own, because lists have one for each of their files.
struct StoredOptions: Codable, Sendable, Equatable {
    var idleTimeout: Double?
    var allowsHTTP2: Bool?
    var collision: DownloadTarget.Collision?
    var adoptsPart: Bool?
    var keepsRemoteTime: Bool?
    var comparesOverlap: Bool?
    var segmentation: Segmentation?
    var mirrors: Mirrors?

    /// The latest options with their text: rows of a list mostly share theirs, and a coder takes longer than the row.
    private static let latest = Locked<(options: StoredOptions, text: String)?>(nil)

    private init() {}

    /// The text of a transfer's options; nil where there is nothing to say.
    static func text(of transfer: StoredTransfer) -> String? {
        var options = StoredOptions()
        options.idleTimeout = transfer.request.idleTimeout
        options.allowsHTTP2 = transfer.request.allowsHTTP2
        if case .target(let target) = transfer.destination {
            let usual = DownloadTarget(folder: "")
            if target.collision != usual.collision { options.collision = target.collision }
            if target.adoptsPart != usual.adoptsPart { options.adoptsPart = target.adoptsPart }
            if target.keepsRemoteTime { options.keepsRemoteTime = true }
            if target.comparesOverlap { options.comparesOverlap = true }
            options.segmentation = target.segmentation
            options.mirrors = target.mirrors
        }
        return options == StoredOptions() ? nil : options.text
    }

    private var text: String? {
        if let latest = Self.latest.withLock({ $0 }), latest.options == self { return latest.text }
        let text = JSONText.text(of: self)
        if let text { Self.latest.withLock { $0 = (self, text) } }
        return text
    }

    /// Reads a column's text; nil for what ``text(of:)`` did not write.
    init?(text: String?) {
        guard let text else { return }
        if let latest = Self.latest.withLock({ $0 }), latest.text == text {
            self = latest.options
            return
        }
        guard let options = JSONText.value(StoredOptions.self, of: text) else { return nil }
        self = options
        // None of these changes what the file has to be, so a transfer is better without them than lost.
        mirrors?.urls.removeAll { !URLScan($0).isRequestable }
        if mirrors?.length ?? 0 < 0 { mirrors?.length = nil }
        if case .exactly(let count)? = segmentation?.connections, !(1...Segmentation.largestCount).contains(count) {
            segmentation?.connections = .automatic
        }
        if segmentation?.minimumSegment ?? 0 < 0 { segmentation = nil }
        // What was mended would be written in other words.
        if self == options { Self.latest.withLock { [self] in $0 = (self, text) } }
    }

    /// Gives a target what they say.
    func apply(to target: inout DownloadTarget) {
        target.collision = collision ?? target.collision
        target.adoptsPart = adoptsPart ?? target.adoptsPart
        target.keepsRemoteTime = keepsRemoteTime ?? false
        target.comparesOverlap = comparesOverlap ?? false
        (target.segmentation, target.mirrors) = (segmentation, mirrors)
    }
}
