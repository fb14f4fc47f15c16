import TransferValues

/// The methods that tell about tasks.
extension AriaMethod {
    static var ofAnswers: [AriaMethod] {
        [
            AriaMethod("aria2.tellStatus") { call throws(AriaError) in
                let (row, _) = try call.task()
                let keys = StatusKey.named(try call.keys(1))
                return call.server.status(of: row, keys)
            },
            AriaMethod("aria2.tellActive") { call throws(AriaError) in
                let keys = StatusKey.named(try call.keys(0))
                return call.server.statuses(of: call.ids(of: .active), keys)
            },
            AriaMethod("aria2.tellWaiting") { call throws(AriaError) in try page(call, of: .waiting) },
            AriaMethod("aria2.tellStopped") { call throws(AriaError) in try page(call, of: .stopped) },
            AriaMethod("aria2.getUris") { call throws(AriaError) in
                let (row, gid) = try call.task()
                guard !row.phase.isStopped else { throw AriaError(AriaErrors.noURIs(gid)) }
                let view = try call.view([.job, .details])
                return JSONWriter.value { FileStatus.writeURIs(of: view, to: &$0) }
            },
            AriaMethod("aria2.getFiles") { call throws(AriaError) in
                let view = try call.view([.job, .details, .path])
                return JSONWriter.value { $0.write([view], in: "[]") { FileStatus.write($1, to: &$0) } }
            },
            AriaMethod("aria2.getServers") { call throws(AriaError) in
                let (row, gid) = try call.task()
                guard row.phase == .active else { throw AriaError(AriaErrors.noActiveDownload(gid)) }
                return FileStatus.servers(of: try call.view([.job, .details, .speed]))
            },
            AriaMethod("aria2.getPeers") { call throws(AriaError) in
                let (row, gid) = try call.task()
                guard !row.phase.isStopped else { throw AriaError(AriaErrors.noPeers(gid)) }
                return .array([])
            },
            AriaMethod("aria2.getGlobalStat") { call throws(AriaError) in call.server.globalStatus },
        ]
    }

    private static func page(_ call: AriaCall, of list: TaskList) throws(AriaError) -> JSONValue {
        let offset = try call.integer(0)
        let count = try call.integer(1, least: 0)
        let keys = StatusKey.named(try call.keys(2))
        let ids = TaskList.page(of: call.ids(of: list), from: offset, count: count)
        return call.server.statuses(of: ids, keys)
    }
}
