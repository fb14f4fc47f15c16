extension GoldenScene {
    /// No rows: the forms and what does not depend on rows.
    static let empty = GoldenScene(
        name: "empty", isReady: { !$0.isEmpty },
        steps: [
            GoldenStep("empty", ""),
            GoldenStep("add-form", "a", back: escape),
            GoldenStep("add-form-filled", "ahttp://dl.example.net/a.iso\t\t\t\tX-Note: 1", back: escape),
            GoldenStep("add-form-problem", "aht tp\r", back: escape, escape),
            GoldenStep("add-form-urls", paste("http://a.example/1\rhttp://a.example/2\r"), back: escape),
            GoldenStep("add-form-curl", paste(curl), back: escape),
            GoldenStep("help", "?", back: escape),
            GoldenStep("help-end", "?\(end)", back: escape),
            GoldenStep("help-filter", "?mark", back: escape),
            GoldenStep("options", "ojj", back: "q"),
            GoldenStep("event-log-empty", escape + "L", back: "q"),
            GoldenStep("nothing-to-do", "p", back: escape, triesAgain: true),
        ])

    static let escape = "\u{1B}"
    static let end = "\u{1B}[F"

    /// Text as a terminal hands over what was pasted.
    static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }

    private static let curl =
        #"curl 'http://api.example.com/v2/orders' -H 'Accept: application/json' -u 'me:secret' --data-raw '{"id": 17}'"#
}
