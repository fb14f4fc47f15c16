import TransferValues

/// The methods that change the queue, and the URLs of a task.
extension AriaMethod {
    static var ofQueue: [AriaMethod] {
        [
            AriaMethod("aria2.changePosition") { call throws(AriaError) in
                let (row, gid) = try call.task()
                let offset = try call.integer(1)
                let word = try call.text(2)
                let queue = call.ids(of: .waiting)
                guard let start = start(word, in: queue, row.id) else {
                    throw AriaError(AriaErrors.illegalArgument)
                }
                guard queue.contains(row.id) else { throw AriaError(AriaErrors.notWaiting(gid)) }
                let (sum, overflowed) = Int64(start).addingReportingOverflow(offset)
                let place = overflowed ? (offset < 0 ? 0 : queue.count) : Int(clamping: max(sum, 0))
                return .integer(Int64(try call.server.place(row.id, at: place)))
            },
            AriaMethod("aria2.changeUri") { call throws(AriaError) in
                let (row, gid) = try call.task()
                let index = try call.integer(1, least: 1)
                let removed = try call.list(2).compactMap(\.text)
                let added = try call.list(3).compactMap(\.text)
                let position = try call.position(4)
                guard !row.phase.isStopped else { throw AriaError(AriaErrors.cannotRemoveURIs(gid)) }
                guard index == 1 else { throw AriaError(AriaErrors.fileIndex) }
                return try call.server.changeURLs(of: row, removing: removed, adding: added, at: position)
            },
        ]
    }

    /// The place from which a move counts; nil for an unknown word.
    private static func start(_ word: String, in queue: [UInt64], _ id: UInt64) -> Int? {
        switch word {
        case "POS_SET": 0
        case "POS_CUR": queue.firstIndex(of: id) ?? 0
        case "POS_END": queue.count - 1
        default: nil
        }
    }
}

extension AriaServer {
    /// Moves a waiting task; returns its place.
    @discardableResult
    func place(_ id: UInt64, at position: Int) throws(AriaError) -> Int {
        let queue = TaskList.waiting.ids(of: standings())
        let place = min(position, max(queue.count - 1, 0))
        if queue.contains(id), queue[place] != id { try change(id, by: .placeInQueue(id, at: place)) }
        return place
    }

    /// Removes URLs, each once, and then adds some; returns how many of each.
    func changeURLs(
        of row: RowFigures, removing removed: [String], adding added: [String], at position: Int?
    ) throws(AriaError) -> JSONValue {
        guard let job = jobs(of: [row.id])[row.id] else { throw AriaError(AriaErrors.noDownload) }
        var urls = [job.url] + job.mirrors
        var count = 0
        for url in removed {
            guard let index = urls.firstIndex(of: url) else { continue }
            urls.remove(at: index)
            count += 1
        }
        let new = added.compactMap(AriaURL.checked)
        urls.insert(contentsOf: new, at: min(position ?? urls.count, urls.count))
        guard let first = urls.first else { throw AriaError(AriaErrors.lastURI) }
        var changed = job
        changed.url = first
        changed.options.removeAll { $0.option == .mirror }
        add(mirrors: urls.dropFirst(), to: &changed)
        try replace(row, with: changed, insteadOf: job)
        return .array([.integer(Int64(count)), .integer(Int64(new.count))])
    }

    /// Gives a task another job; a paused one stays paused.
    func replace(_ row: RowFigures, with job: Job, insteadOf old: Job) throws(AriaError) {
        guard job != old else { return }
        var job = job
        job.startsPaused = row.phase == .paused
        try change(row.id, by: .replace(row.id, with: job))
    }

    /// Sends a command for one task, and throws why the task stays as it is.
    ///
    /// Commands for all tasks of a list need no answer: the ones that they leave out are gone.
    func change(_ id: UInt64, by command: TransferCommand) throws(AriaError) {
        guard let reason = tasks.send(command).refusals.first else { return }
        throw AriaError(figures(of: [id]).isEmpty ? AriaErrors.notFound(gids().gid(of: id).description) : reason)
    }
}
