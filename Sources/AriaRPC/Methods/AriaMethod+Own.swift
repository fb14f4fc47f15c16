import SessionSupport
import TransferValues

/// The methods beyond aria2's: uploads, API calls, and a list of all tasks.
extension AriaMethod {
    static var ofOwn: [AriaMethod] {
        [
            AriaMethod("netdash.addTask") { call throws(AriaError) in
                let members = try call.options(0)
                let job = try call.server.job(try AriaTask.job(.object(members)), try call.optionalOptions(1))
                return .string(try call.server.add(job))
            },
            AriaMethod("netdash.retry") { call throws(AriaError) in
                let (row, gid) = try call.task()
                guard row.canStart else { throw AriaError(AriaErrors.cannotUnpause(gid)) }
                call.server.state.withLock { $0.removed[row.id] = nil }
                try call.server.change(row.id, by: .resume([row.id]))
                return .string(gid)
            },
            AriaMethod("netdash.tellTasks") { call throws(AriaError) in
                let offset = try call.integer(0)
                let count = try call.integer(1, least: 0)
                let names = try call.keys(2)
                let keys = names.isEmpty ? StatusKey.all : StatusKey.named(names)
                let ids = TaskList.page(of: call.server.ids(), from: offset, count: count)
                return call.server.statuses(of: ids, keys)
            },
        ]
    }
}

/// A task of any kind as an object: `kind`, `url`, `method`, `headers`, `body` or `bodyFile`, `tag`.
enum AriaTask {
    private static let keys = ["kind", "url", "method", "headers", "body", "bodyFile", "tag"]

    /// The task of an object; a member that it does not know is refused, because without it the task would be another.
    static func job(_ object: JSONValue) throws(AriaError) -> Job {
        if case .object(let members) = object, let other = members.first(where: { !keys.contains($0.name) }) {
            throw AriaError(
                AriaErrors.unknownKey(other.name, near: Suggestion.nearest(to: other.name, among: keys), of: keys))
        }
        guard let kind = Job.Kind(rawValue: object["kind"]?.text ?? Job.Kind.data.rawValue),
            let url = object["url"]?.text.flatMap(AriaURL.checked)
        else { throw AriaError(AriaErrors.notATask) }
        var job = Job(kind: kind, url: url)
        if let method = object["method"]?.text {
            guard kind != .download, !method.isEmpty, method.utf8.count <= 32, method.utf8.allSatisfy(ByteText.isToken)
            else { throw AriaError(AriaErrors.notATask) }
            job.method = method.uppercased()
        }
        let lines = object["headers"]?.list?.compactMap(\.text) ?? []
        do throws(OptionProblem) {
            job.headers = try AriaHeader.fields(lines.joined(separator: "\n"))
            if let tag = object["tag"]?.text { try JobKey.named("tag")?.reading(tag)(&job) }
        } catch {
            throw AriaError(AriaErrors.notATask)
        }
        job.body = body(object)
        guard job.body == .none ? kind != .upload : kind != .download else { throw AriaError(AriaErrors.notATask) }
        return job.namedAfterFile
    }

    private static func body(_ object: JSONValue) -> Job.Body {
        if let path = object["bodyFile"]?.text { return .file(path: path) }
        return object["body"]?.text.map { .text($0) } ?? .none
    }
}
