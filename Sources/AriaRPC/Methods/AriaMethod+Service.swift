import SessionSupport
import TransferValues

/// The methods about the service, and those about methods.
extension AriaMethod {
    /// The version of aria2 whose interface this is.
    private static let ariaVersion = "1.36.0"
    private static let features = [
        "Async DNS", "Firefox3 Cookie", "GZip", "HTTPS", "Message Digest", "Metalink",
    ]

    static var ofService: [AriaMethod] {
        [
            AriaMethod("aria2.getVersion") { call in
                .object([
                    JSONValue.Member("enabledFeatures", .array(features.map { .string($0) })),
                    JSONValue.Member("netdash", .string(call.server.program.version)),
                    JSONValue.Member("version", .string(ariaVersion)),
                ])
            },
            AriaMethod("aria2.getSessionInfo") { call in
                .object([JSONValue.Member("sessionId", .string(call.server.session))])
            },
            AriaMethod("aria2.shutdown", run: shutdown), AriaMethod("aria2.forceShutdown", run: shutdown),
            AriaMethod("aria2.saveSession") { call throws(AriaError) in
                guard let path = call.server.state.withLock({ $0.options["save-session"] }), !path.isEmpty else {
                    throw AriaError(AriaErrors.noSessionFile)
                }
                guard call.server.program.write(SessionList.text(of: call.server), path) else {
                    throw AriaError(AriaErrors.notSaved(path))
                }
                return ok
            },
        ]
    }

    private static func shutdown(_ call: AriaCall) throws(AriaError) -> JSONValue {
        call.server.stop()
        return ok
    }

    static var ofSystem: [AriaMethod] {
        [
            AriaMethod("system.multicall", needsToken: false) { call throws(AriaError) in
                let items = try call.list(0)
                guard items.count <= AriaServer.mostCalls else { throw AriaError(AriaError.tooManyCalls.message) }
                return .array(answers(to: items, of: call))
            },
            AriaMethod("system.listMethods", needsToken: false) { _ in .array(all.map { .string($0.name) }) },
            AriaMethod("system.listNotifications", needsToken: false) { _ in
                .array(AriaNotice.allNames.map { .string($0) })
            },
        ]
    }
}

extension AriaMethod {
    /// The answers to the items of a multicall in their order, within the limit of a batch.
    private static func answers(to items: [JSONValue], of call: AriaCall) -> [JSONValue] {
        var count = 0
        return items.map { item in
            guard count < AriaServer.answerLimit else { return AriaError.answerTooLarge.json }
            let answer = call.server.item(item, of: call)
            count += JSONWriter.bytes(of: answer).count
            return answer
        }
    }
}

/// The tasks that have not been done as a list that aria2 reads.
enum SessionList {
    /// Secrets are left out: the list is a file.
    static func text(of server: AriaServer) -> String {
        let rows = server.allFigures().filter {
            $0.kind == .download && !($0.phase == .complete || $0.phase == .removed)
        }
        let jobs = server.jobs(of: rows.map(\.id))
        let gids = server.gids()
        return rows.compactMap { row in
            jobs[row.id].map { entry(of: $0, gids.gid(of: row.id), isPaused: row.phase == .paused) }
        }.joined()
    }

    private static func entry(of job: Job, _ gid: GID, isPaused: Bool) -> String {
        let urls = ([job.url] + job.mirrors).map { Redaction.url($0, userInfo: .removed) }
        var lines = [urls.joined(separator: "\t"), " gid=\(gid)"]
        if isPaused { lines.append(" pause=true") }
        for option in AriaOption.all where option.place == .task {
            guard let value = job.aria?.options[option.name] ?? option.read(job) else { continue }
            let text = option.shown(value)
            guard text == value else { continue }
            for line in text.split(separator: "\n") where !line.hasSuffix(Redaction.mask) {
                lines.append(" \(option.name)=\(line)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
