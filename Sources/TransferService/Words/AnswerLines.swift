import SessionSupport

/// Lines about the pages of responses.
enum AnswerLines {
    static func pageLimit(_ count: Int) -> String {
        "stopped after \(count, "page", "pages"); --max-pages N allows more"
    }
}
