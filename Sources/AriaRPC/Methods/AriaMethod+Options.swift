import SessionSupport
import TransferValues

/// The methods of options.
extension AriaMethod {
    static var ofOptions: [AriaMethod] {
        [
            AriaMethod("aria2.getOption") { call throws(AriaError) in
                let (row, _) = try call.task()
                return call.server.options(of: row.id)
            },
            AriaMethod("aria2.changeOption") { call throws(AriaError) in
                let (row, gid) = try call.task()
                let options = try call.options(1)
                guard !row.phase.isStopped else { throw AriaError(AriaErrors.cannotChange(gid)) }
                try call.server.change(row, options)
                return ok
            },
            AriaMethod("aria2.getGlobalOption") { call in call.server.globalOptions },
            AriaMethod("aria2.changeGlobalOption") { call throws(AriaError) in
                try call.server.changeGlobally(try call.options(0))
                return ok
            },
        ]
    }
}

extension AriaServer {
    /// The values of a task's options: its own ones, else the service's, else aria2's usual ones.
    func options(of id: UInt64) -> JSONValue {
        let job = job(of: id)
        let (changed, all) = state.withLock { ($0.ownOptions[id] ?? [:], $0.options) }
        let members = AriaOption.all.filter { $0.place == .task }.compactMap { option -> JSONValue.Member? in
            let name = option.name
            let kept = changed[name] ?? job?.aria?.options[name]
            let said = kept ?? job.flatMap { option.read($0) }
            let usual = option.isKept ? all[name] ?? option.initial : option.initial ?? own(name)
            let value = said ?? (name == "dir" ? job?.directory : nil) ?? usual
            return value.map { JSONValue.Member(name, .string(option.shown($0))) }
        }
        return .object(members.sorted { $0.name < $1.name })
    }

    /// The job of a row with the limits in force, which may have changed since it was added.
    private func job(of id: UInt64) -> Job? {
        var job = jobs(of: [id])[id]
        job?.rates = tasks.details(of: id)?.rates
        return job
    }

    /// The service's own value of an option: pages send one of theirs back for an option that is told without a value.
    private func own(_ name: String) -> String? {
        switch name {
        case "dir": directory
        case "user-agent": program.userAgent
        default: nil
        }
    }

    var globalOptions: JSONValue {
        let all = state.withLock { $0.options }
        let (limits, rates) = tasks.limits
        let live = [
            "max-concurrent-downloads": String(limits.all),
            "max-overall-download-limit": Self.bytes(rates.download),
            "max-overall-upload-limit": Self.bytes(rates.upload),
        ]
        let members = AriaOption.all.compactMap { option in
            (live[option.name] ?? all[option.name] ?? option.initial ?? own(option.name)).map {
                JSONValue.Member(option.name, .string(option.shown($0)))
            }
        }
        return .object(members.filter { !Self.isSecret($0.name) }.sorted { $0.name < $1.name })
    }

    /// The limit of a plan; a timetable's own text, which no client of aria2 has written.
    private static func bytes(_ schedule: RateSchedule) -> String {
        schedule.isTimed ? schedule.words : String(schedule.rate(at: 0) ?? 0)
    }

    private static func isSecret(_ name: String) -> Bool { name.hasSuffix("-passwd") }

    /// The options of a call that differ from what was told.
    ///
    /// Pages send back all that they have shown, and a secret in it is masked.
    private static func news(in options: [JSONValue.Member], beside told: JSONValue) -> [JSONValue.Member] {
        options.filter { member in
            guard let text = AriaOption.named(member.name)?.kind.normalised(member.value),
                let known = told[member.name]?.text
            else { return true }
            return lines(text) != lines(known)
        }
    }

    private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    /// Changes a task: limits at once, anything else by another job in its place.
    ///
    /// Options without an effect are noted, so that a task that runs is not restarted for them.
    func change(_ row: RowFigures, _ options: [JSONValue.Member]) throws(AriaError) {
        guard let job = job(of: row.id) else { return }
        var draft = AriaDraft(job)
        // These say how a task begins.
        let options = options.filter { !["gid", "pause"].contains($0.name) }
        var changed = try changed(&draft, by: Self.news(in: options, beside: self.options(of: row.id)))
        let (rates, kept) = (changed.rates, changed.aria?.options)
        (changed.rates, changed.aria) = (job.rates, job.aria)
        // What may be refused comes first: nothing of a change is done, or all of it.
        if changed != job {
            var new = changed
            (new.rates, new.aria) = (draft.job.rates, draft.job.aria)
            try replace(row, with: new, insteadOf: job)
        }
        if rates != job.rates { try self.change(row.id, by: .limitTasks([row.id], rates)) }
        if let kept, kept != job.aria?.options {
            state.withLock { $0.ownOptions[row.id, default: [:]].merge(kept) { $1 } }
        }
    }

    func changeGlobally(_ options: [JSONValue.Member]) throws(AriaError) {
        let options = Self.news(in: options, beside: globalOptions)
        var values: [(option: AriaOption, text: String)] = []
        for member in options {
            guard let option = AriaOption.named(member.name) else { continue }
            guard let text = option.kind.normalised(member.value), isPossible(text, for: option) else {
                throw AriaError(AriaErrors.option(option.name))
            }
            values.append((option, text))
        }
        // A wrong value must show itself now, and not when the next task is added.
        var draft = AriaDraft(Job(kind: .download, url: "http://localhost/"))
        let ofTasks = options.filter { !["gid", "pause", "out"].contains($0.name) }
        _ = try changed(&draft, by: ofTasks)
        for (option, text) in values {
            // A command has what the one before it has changed.
            if case .service(let command) = option.effect, let command = command(AriaServiceChange(tasks: tasks), text),
                let reason = tasks.send(command).refusals.first
            {
                throw AriaError(reason)
            }
            state.withLock { $0.options[option.name] = text }
        }
    }

    private func isPossible(_ text: String, for option: AriaOption) -> Bool {
        guard case .service(let command) = option.effect else { return true }
        return command(AriaServiceChange(tasks: tasks), text) != nil
    }
}
