/// The syntax of filters, for their help and for the documents.
package enum FilterReference {
    /// A form of a condition, and the rows it matches.
    package struct Row: Sendable {
        package let form: SafeText
        package let meaning: SafeText
    }

    package static let rows: [Row] = [
        Row(form: "iso debian", meaning: "Name, host or URL contains every word, in upper or lower case"),
        Row(form: "\"two words\"", meaning: "The text in quotes as it stands, blanks included"),
        Row(form: "-word", meaning: "The opposite of what follows, also of a condition: -state:done"),
        Row(form: "iso or zip", meaning: "One side or the other; each side may be several words"),
        Row(form: "state:failed", meaning: "The state begins so; several are choices: state:run,queued"),
        Row(form: "kind:upload", meaning: "data, upload or download"),
        Row(form: "host:example.org", meaning: "The host contains it"),
        Row(form: "error:refused", meaning: "The cause of a failure contains it; error: alone finds every cause"),
        Row(form: "size:>100M", meaning: "Also size:<2G and size:1M..2G, with k, M, G or T"),
        Row(form: "speed:>1M", meaning: "Bytes a second of what is running"),
        Row(form: "progress:<50", meaning: "The percentage that is there"),
        Row(form: "age:<10m", meaning: "The time since it began, with s, m, h or d"),
        Row(form: "~iso$", meaning: "A regular expression: . [a-z] [^a-z] \\d \\w \\s ( ) | * + ? {2,5} ^ $"),
    ]
}
