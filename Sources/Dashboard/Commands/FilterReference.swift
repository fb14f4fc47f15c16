/// The syntax of filters, for their help and for the documents.
package enum FilterReference {
    /// A form of a condition, and the rows it matches.
    package struct Row: Sendable {
        package let form: SafeText
        package let meaning: SafeText
    }

    package static let rows: [Row] = [
        Row(form: "iso debian", meaning: "Name, host or URL contains every word, in upper or lower case"),
        Row(form: "\"two words\"", meaning: "Exact phrase, spaces included"),
        Row(form: "-word", meaning: "Exclude a word or condition, e.g. -state:done"),
        Row(form: "iso or zip", meaning: "Either side; each may be several words"),
        Row(form: "state:failed", meaning: "By state prefix; several are an or: state:run,queued"),
        Row(form: "kind:upload", meaning: "By kind: data, upload or download; several are an or"),
        Row(form: "host:example.org", meaning: "By part of the host name"),
        Row(form: "worker:rack1", meaning: "By part of the worker's name, in a queue of many machines"),
        Row(form: "error:refused", meaning: "By error text; error: alone finds all failures"),
        Row(form: "size:>100M", meaning: "Also size:<2G and size:1M..2G, with k, M, G or T"),
        Row(form: "speed:>1M", meaning: "By current speed in bytes per second"),
        Row(form: "progress:<50", meaning: "By percent done"),
        Row(form: "age:<10m", meaning: "By time since the start, with s, m, h or d"),
        Row(form: "~iso$", meaning: "A regular expression: . [a-z] [^a-z] \\d \\w \\s ( ) | * + ? {2,5} ^ $"),
    ]
}
