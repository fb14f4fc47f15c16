import SessionSupport

/// What a download's target says beside folder and name, as one text of the task store: a line for each thing said.
///
/// Lines that mean nothing are passed over, since none of them changes what the file has to be.
extension DownloadTarget {
    /// The target without mirrors whose URLs hold secrets.
    var withoutSecrets: DownloadTarget {
        guard mirrors != nil else { return self }
        var safe = self
        safe.mirrors?.urls.removeAll { Redaction.url($0, userInfo: .removed) != $0 }
        return safe
    }

    /// The lines; nil where there is nothing to say, as with nearly every target.
    var storedOptions: String? {
        var lines: [String] = []
        for url in mirrors?.urls ?? [] { lines.append("mirror=\(url)") }
        if let length = mirrors?.length { lines.append("length=\(length)") }
        if let segmentation {
            lines.append("segment=\(segmentation.minimumSegment)")
            if case .exactly(let count) = segmentation.connections { lines.append("connections=\(count)") }
        }
        if keepsRemoteTime { lines.append("time") }
        if comparesOverlap { lines.append("overlap") }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Takes what lines of ``storedOptions`` say.
    mutating func apply(storedOptions text: String, isURL: (String) -> Bool) {
        var urls: [String] = []
        var length: Int64?
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = parts.count == 2 ? parts[1] : ""
            let number = Int64(value).flatMap { $0 >= 0 ? $0 : nil }
            switch parts[0] {
            case "mirror" where isURL(value): urls.append(value)
            case "length": length = number
            case "segment":
                guard let number else { continue }
                segmentation = segmentation ?? Segmentation()
                segmentation?.minimumSegment = number
            case "connections":
                guard let number, number >= 1, number <= Segmentation.largestCount else { continue }
                segmentation = segmentation ?? Segmentation()
                segmentation?.connections = .exactly(Int(number))
            case "time": keepsRemoteTime = true
            case "overlap": comparesOverlap = true
            default: continue
            }
        }
        if !urls.isEmpty || length != nil { mirrors = Mirrors(urls: urls, length: length) }
    }
}
