import SessionSupport

/// The folders of a URL's path as folders on disk, below the one that the user chose.
package enum ServerFolders {
    /// Returns a download whose folder contains the folders of its URL, if it has the option, which is then removed.
    ///
    /// A job that is saved or shown in the form so has its complete folder, and none is added twice.
    package static func placed(_ job: Job, defaultDirectory: String?) -> Job {
        guard job.kind == .download, job.options.contains(.relative) else { return job }
        var job = job
        job.options.removeAll { $0.option == .relative }
        let folders = path(of: job.url)
        guard !folders.isEmpty else { return job }
        job.directory = (job.directory ?? defaultDirectory ?? ".") + "/" + folders
        return job
    }

    /// Returns the folders of a URL's path without its last component, joined by slashes.
    ///
    /// Each is one directory entry below the folder before it: `..` is dropped however it is encoded, and a slash, a
    /// control character or a dot at the beginning becomes `_`, so that the server makes no hidden folder.
    package static func path(of url: String) -> String {
        let scan = URLScan(url)
        let folders = url[scan.path.lowerBound..<max(scan.path.lowerBound, scan.lastComponent.lowerBound)]
        return folders.split(separator: "/").compactMap { entry(of: $0) }.joined(separator: "/")
    }

    /// Returns the last component of a URL's path as a file name; nil where it has none.
    package static func name(of url: String) -> String? { entry(of: url[URLScan(url).lastComponent]) }

    private static func entry(of component: Substring) -> String? {
        let text = String(decoding: ByteText.percentDecoded(component), as: UTF8.self)
        guard text != ".", text != ".." else { return nil }
        var entry = String.UnicodeScalarView()
        var length = 0
        for scalar in text.unicodeScalars {
            let isUnfit = scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control
            let kept = isUnfit || entry.isEmpty && scalar == "." ? "_" : scalar
            length += kept.utf8.count
            guard length <= JobDestination.longestName else { break }
            entry.append(kept)
        }
        return entry.isEmpty ? nil : String(entry)
    }
}
