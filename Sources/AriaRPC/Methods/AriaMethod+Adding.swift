import SessionSupport
import TransferValues

/// The methods that add tasks.
extension AriaMethod {
    static var ofAdding: [AriaMethod] {
        [
            AriaMethod("aria2.addUri") { call throws(AriaError) in
                let texts = try call.list(0).compactMap(\.text)
                guard !texts.isEmpty else { throw AriaError(AriaErrors.noURI) }
                let options = try call.optionalOptions(1)
                let position = try call.position(2)
                let urls = texts.compactMap(AriaURL.checked)
                guard let first = urls.first else { throw AriaError(AriaErrors.noDownload) }
                let server = call.server
                var job = try server.job(Job(kind: .download, url: first), options)
                server.add(mirrors: urls.dropFirst(), to: &job)
                return .string(try server.add(job, at: position))
            },
            AriaMethod("aria2.addTorrent") { call throws(AriaError) in
                _ = try call.text(0)
                throw AriaError(AriaErrors.noTorrents)
            },
            AriaMethod("aria2.addMetalink") { call throws(AriaError) in
                let text = try call.text(0)
                let options = try call.optionalOptions(1)
                let position = try call.position(2)
                guard let bytes = Base64.decode(text) else { throw AriaError(AriaErrors.noBase64) }
                let server = call.server
                let defaults = try server.job(Job(kind: .download, url: ""), options)
                guard let jobs = server.program.metalink(bytes, defaults), !jobs.isEmpty else {
                    throw AriaError(AriaErrors.noMetalink)
                }
                return .array(try server.add(jobs, at: position).map { .string($0) })
            },
        ]
    }
}

/// A URL that a client sends.
enum AriaURL {
    /// The URL with the bytes encoded that aria2 encodes, and so tells again; nil unless it is one of HTTP without a
    /// control character.
    static func checked(_ text: String) -> String? {
        let url = encoded(ByteText.trimmed(text[...]))
        let scan = URLScan(url)
        return scan.isWebAddress && scan.isRequestable ? url : nil
    }

    private static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: isEncoded) else { return text }
        return text.utf8.reduce(into: "") { url, byte in
            url += isEncoded(byte) ? "%" + ByteText.hexadecimal([byte]).uppercased() : String(Unicode.Scalar(byte))
        }
    }

    /// Whether aria2 encodes a byte; a percent sign begins one that is encoded already.
    private static func isEncoded(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte > 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">")
    }
}

extension AriaServer {
    /// A job with the options of the service, and over them the options of a call.
    func job(_ job: Job, _ options: [JSONValue.Member]) throws(AriaError) -> Job {
        var draft = AriaDraft(job)
        for (name, text) in state.withLock({ $0.options }).sorted(by: { $0.key < $1.key }) {
            guard let option = AriaOption.named(name), option.place == .task, !option.isKept else { continue }
            try apply(option, text, to: &draft)
        }
        draft.beginCloserPlace()
        return try changed(&draft, by: options)
    }

    /// Applies the options of a call; unknown ones are ignored, as in aria2.
    func changed(_ draft: inout AriaDraft, by options: [JSONValue.Member]) throws(AriaError) -> Job {
        for member in options {
            guard let option = AriaOption.named(member.name), option.place == .task else {
                note(member.name)
                continue
            }
            guard let text = option.kind.normalised(member.value) else {
                throw AriaError(AriaErrors.option(option.name))
            }
            try apply(option, text, to: &draft)
        }
        do throws(OptionProblem) {
            return try draft.finish()
        } catch {
            throw AriaError(AriaErrors.illegalArgument)
        }
    }

    private func apply(_ option: AriaOption, _ text: String, to draft: inout AriaDraft) throws(AriaError) {
        if option.name == "gid" { return try choose(text, in: &draft) }
        do throws(OptionProblem) {
            switch option.effect {
            case .kept:
                draft.keep(option.name, text)
                if text != option.initial { note(option.name) }
            case .same: try draft.setSame(option.name, text)
            case .job(let change): try change(&draft, text)
            case .service: break
            }
        } catch {
            throw AriaError(AriaErrors.option(option.name))
        }
    }

    private func choose(_ text: String, in draft: inout AriaDraft) throws(AriaError) {
        guard let gid = GID(text) else { throw AriaError(AriaErrors.invalidGID(text)) }
        guard !gids().isTaken(gid, in: tasks) else { throw AriaError(AriaErrors.notUnique(text)) }
        draft.choose(gid)
    }

    /// Adds the further URLs of a download, as many as one uses.
    func add(mirrors urls: some Collection<String>, to job: inout Job) {
        if urls.count > Mirrors.limit { program.log(AriaLines.mirrors(Mirrors.limit, of: urls.count)) }
        for url in urls.prefix(Mirrors.limit) {
            if let value = try? JobOption.Value(checking: .mirror, url) { job.options.append(value) }
        }
    }

    /// Adds a task and returns its GID.
    func add(_ job: Job, at position: Int? = nil) throws(AriaError) -> String {
        let reply = tasks.send(.add([job]))
        guard let id = reply.added.first else { return try existing(reply.repeated.first, job) }
        learn(GIDBook.News(job, of: id))
        // A task that has left the queue by then has no place in it.
        if let position { _ = try? place(id, at: position) }
        return gids().gid(of: id).description
    }

    /// Adds the files of a Metalink, and returns the GIDs of the ones that are tasks then.
    ///
    /// Tasks that are there have to be told: an error because of a later file would hide the ones before it.
    fileprivate func add(_ jobs: [Job], at position: Int?) throws(AriaError) -> [String] {
        var gids: [String] = []
        var problem: AriaError?
        for (index, job) in jobs.enumerated() {
            var job = job
            // One GID names one task.
            if index > 0 { job.aria?.gid = nil }
            do throws(AriaError) {
                gids.append(try add(job, at: position.map { $0 + gids.count }))
            } catch {
                problem = problem ?? error
                program.log(AriaLines.notAdded(SafeText(url: job.url), SafeText(untrusted: error.message)))
            }
        }
        if gids.isEmpty, let problem { throw problem }
        return gids
    }

    /// The GID of the task whose download a job repeats; one that has stopped begins again.
    private func existing(_ id: UInt64?, _ job: Job) throws(AriaError) -> String {
        guard let id, let row = figures(of: [id]).first else { throw AriaError(AriaErrors.noDownload) }
        let gid = gids().gid(of: id).description
        guard job.aria?.gid == nil else { throw AriaError(AriaErrors.alreadyInList(gid)) }
        if row.phase.isStopped { try change(id, by: .replace(id, with: job)) }
        return gid
    }
}
