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
        guard let kind = Job.Kind(rawValue: try text("kind", of: object) ?? Job.Kind.data.rawValue),
            let url = try text("url", of: object).flatMap(AriaURL.checked)
        else { throw AriaError(AriaErrors.notATask) }
        var job = Job(kind: kind, url: url)
        if let method = try text("method", of: object) {
            guard kind != .download, !method.isEmpty, method.utf8.count <= 32, method.utf8.allSatisfy(ByteText.isToken)
            else { throw AriaError(AriaErrors.notATask) }
            job.method = method.uppercased()
        }
        let (lines, tag) = (try lines("headers", of: object), try text("tag", of: object))
        do throws(OptionProblem) {
            job.headers = try AriaHeader.fields(lines.joined(separator: "\n"))
            if let tag { try JobKey.named("tag")?.reading(tag)(&job) }
        } catch {
            throw AriaError(AriaErrors.notATask)
        }
        job.body = try body(object)
        guard job.body == .none ? kind != .upload : kind != .download else { throw AriaError(AriaErrors.notATask) }
        return job.namedAfterFile
    }

    private static func body(_ object: JSONValue) throws(AriaError) -> Job.Body {
        let (body, path) = (try text("body", of: object), try text("bodyFile", of: object))
        guard body == nil || path == nil else { throw AriaError(AriaErrors.twoBodies) }
        return path.map { .file(path: $0) } ?? body.map { .text($0) } ?? .none
    }

    // MARK: - Members

    /// A member that is a text; nil for a missing one, or for null.
    private static func text(_ name: String, of object: JSONValue) throws(AriaError) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case .bool, .integer, .decimal, .array, .object, .written:
            throw AriaError(AriaErrors.notText(name))
        }
    }

    /// A member that is a list of texts; empty for a missing one, or for null.
    private static func lines(_ name: String, of object: JSONValue) throws(AriaError) -> [String] {
        switch object[name] {
        case nil, .null: return []
        case .array(let list):
            let lines = list.compactMap(\.text)
            if lines.count == list.count { return lines }
        case .bool, .integer, .decimal, .string, .object, .written: break
        }
        throw AriaError(AriaErrors.notTexts(name))
    }
}
