/// What a download will do about what has the name of its file, beside the field of the form.
package enum DestinationHints {
    package static let isInList: SafeText = "already in the list; will not be added"
    package static let obstacle: SafeText = "name taken by a folder or device; will fail"

    package static func partResumes(at bytes: SafeText) -> SafeText { "partial file found; resumes at \(bytes)" }

    package static func partRestarts(_ bytes: SafeText) -> SafeText {
        "partial file of \(bytes) found; restarts from zero"
    }

    // MARK: - A file exists

    package static let asks: SafeText = "file exists; you will be asked"
    package static let skips: SafeText = "file exists; will be skipped"
    package static let fails: SafeText = "file exists; will fail"
    package static let numbers: SafeText = "file exists; the new one gets a number"
    package static func numbers(_ name: SafeText) -> SafeText { "file exists; saves as \(name)" }
    package static let refreshes: SafeText = "file exists; replaced if the server has a newer one"
    package static let needsSame: SafeText = "file exists; done if equal, else fails"
    package static let skipsSame: SafeText = "file exists; skipped if the same, else numbered"
    package static let replaces: SafeText = "file exists; will be replaced"

    // MARK: - And a partial file beside it

    package static func resumes(at bytes: SafeText) -> SafeText { "resumes at \(bytes)" }

    package static let restarts: SafeText = "restarts from zero"
}
