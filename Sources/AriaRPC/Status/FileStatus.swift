import TransferValues

/// The file of a task, its URLs and its servers as aria2 tells them.
enum FileStatus {
    typealias Member = JSONValue.Member

    static func file(of task: TaskView) -> JSONValue {
        .object([
            Member("completedLength", .digits(task.pieces.completeBytes(task.ranges))),
            Member("index", "1"),
            Member("length", .digits(task.total)),
            Member("path", .string(task.path)),
            Member("selected", "true"),
            Member("uris", .array(uris(of: task))),
        ])
    }

    static func uris(of task: TaskView) -> [JSONValue] {
        let used = task.usedURLs
        return task.urls.map { url in
            .object([Member("status", used.contains(url) ? "used" : "waiting"), Member("uri", .string(url))])
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
