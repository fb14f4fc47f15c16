import TransferValues

/// The file of a task, its URLs and its servers as aria2 tells them.
enum FileStatus {
    typealias Member = JSONValue.Member

    static func write(_ task: TaskView, to writer: inout JSONWriter) {
        writer.append(#"{"completedLength":"#)
        writer.writeDigits(task.pieces.completeBytes(task.ranges))
        writer.append(#","index":"1","length":"#)
        writer.writeDigits(task.total)
        writer.append(#","path":"#)
        writer.write(task.path)
        writer.append(#","selected":"true","uris":"#)
        writeURIs(of: task, to: &writer)
        writer.append("}")
    }

    static func writeURIs(of task: TaskView, to writer: inout JSONWriter) {
        let used = task.usedURLs
        writer.write(task.urls, in: "[]") { writer, url in
            writer.append(used.contains(url) ? #"{"status":"used","uri":"# : #"{"status":"waiting","uri":"#)
            writer.write(url)
            writer.append("}")
        }
    }

    /// The servers that a download receives from.
    static func servers(of task: TaskView) -> JSONValue {
        let sources = (task.details?.sources ?? []).filter { $0.connections > 0 }
        let current = task.details?.answeredURL.string ?? ""
        let first = task.urls.first ?? ""
        let servers =
            sources.isEmpty
            ? [server(first, current.isEmpty ? first : current, task.speed)]
            : sources.map { server($0.url.string, $0.url.string, $0.rate ?? 0) }
        return .array([.object([Member("index", "1"), Member("servers", .array(servers))])])
    }

    private static func server(_ url: String, _ current: String, _ speed: Int64) -> JSONValue {
        .object([
            Member("currentUri", .string(current)), Member("downloadSpeed", .digits(speed)),
            Member("uri", .string(url)),
        ])
    }
}
