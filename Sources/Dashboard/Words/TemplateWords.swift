/// Errors in a template of file names, in words that follow the option.
package enum TemplateUsage {
    package static func unknown(_ word: String, _ near: String) -> String {
        "{\(word)} is unknown; did you mean {\(near)}?"
    }

    package static func unknown(_ word: String, known words: String) -> String {
        "{\(word)} is unknown; known are \(words)"
    }

    package static let leavesFolder = "a template must not contain .. after a placeholder"
}

/// Meanings of a template's placeholders, each as one phrase of the manual page.
package enum TemplateHelp {
    package static let host = "the URL's host"
    package static let port = "its port, also the usual one"
    package static let path = "the folders of its path, as folders"
    package static let name = "the last part of its path, or \(JobDestination.unnamedFile)"
    package static let base = "the name without its ending"
    package static let ext = "the ending of the name, without its dot"
    package static let query = "the text after ?, without secrets"
    package static let date = "today's date, as 2026-11-28"
    package static let time = "the time of day, as 2200"
    package static let number = "the number of the URL in the run or list, from 1"
}
