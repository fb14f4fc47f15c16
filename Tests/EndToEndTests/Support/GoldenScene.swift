import TerminalTestSupport

/// A screen of the real program that is the same in every run, to the last character.
///
/// Every row is paused from the start, so nothing is sent, nothing is measured and no clock is shown: no
/// port, folder, moment or speed is on the screen. What depends on those is looked at by its meaning instead.
struct GoldenScene: Sendable, CustomStringConvertible {
    /// What the screen is called in the names of files.
    var name: String
    /// The rows, as an input list; empty for a dashboard without rows.
    var list = ""
    /// Typed in one go once the rows are there.
    var keys: String
    var description: String { name }

    static let all = [
        GoldenScene(name: "empty", keys: ""),
        GoldenScene(name: "add-form-filled", keys: "ahttp://dl.example.net/a.iso\t\t\t\tX-Note: 1"),
        GoldenScene(name: "add-form-curl", keys: Keys.pasting(curl)),
        GoldenScene(name: "help", keys: "?"),
        GoldenScene(name: "table", list: table, keys: ""),
        GoldenScene(name: "filter", list: table, keys: "/example.org"),
        GoldenScene(name: "palette", list: table, keys: ":all"),
        GoldenScene(name: "marks", list: table, keys: "VjjV"),
        GoldenScene(name: "state-menu", list: table, keys: "fj j "),
        GoldenScene(name: "cancel-dialog", list: table, keys: "x"),
        GoldenScene(name: "options", list: table, keys: "ojj"),
        GoldenScene(name: "details", list: table, keys: "\r"),
        GoldenScene(name: "strange", list: strange, keys: ""),
        GoldenScene(name: "strange-details", list: strange, keys: "\r"),
    ]

    /// How many rows the list has.
    var rowCount: Int { list.split(separator: "\n").count { !$0.hasPrefix(" ") } }

    /// Rows of every kind.
    private static let table = """
        https://deb.example.org/debian-12.7.0-amd64-netinst.iso
         pause=true
        https://api.example.com/v2/orders?limit=500
         kind=data
         header=Accept: application/json
         pause=true
        https://up.example.com/ingest/report.pdf
         kind=upload
         body=text
         pause=true
        https://s3.example.com/dataset-part-0007.parquet
         pause=true
        https://ci.example.org/nightly/build-8812.zip
         pause=true
        https://mirror.example.org/old-image.qcow2
         pause=true

        """

    /// URLs that try to break out of their cells, and other scripts between them.
    private static let strange =
        StandingRows.strangePaths.map { "https://strange.example/\($0)\n pause=true\n" }.joined()

    private static let curl =
        #"curl 'http://api.example.com/v2/orders' -H 'Accept: application/json' -u 'me:secret' --data-raw '{"id": 17}'"#
}

/// What terminals send for keys without a character.
enum Keys {
    static let escape = "\u{1B}"
    static let end = "\u{1B}[F"

    /// Text as a terminal hands over what was pasted.
    static func pasting(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}
