import TransferValues

/// The methods that tell about tasks.
extension AriaMethod {
    static var ofAnswers: [AriaMethod] {
        [
            AriaMethod("aria2.tellStatus") { call throws(AriaError) in
                let (row, _) = try call.task()
                let keys = StatusKey.named(try call.keys(1))
                return call.server.statuses(of: [row], keys).first ?? .object([])
            },
            AriaMethod("aria2.tellActive") { call throws(AriaError) in
                let keys = StatusKey.named(try call.keys(0))
                return .array(call.server.statuses(of: call.lists.active, keys))
            },
            AriaMethod("aria2.tellWaiting") { call throws(AriaError) in try page(call, of: \.waiting) },
            AriaMethod("aria2.tellStopped") { call throws(AriaError) in try page(call, of: \.stopped) },
            AriaMethod("aria2.getUris") { call throws(AriaError) in
                let (row, gid) = try call.task()
                guard !row.phase.isStopped else { throw AriaError(AriaErrors.noURIs(gid)) }
                return .array(FileStatus.uris(of: try call.view([.job, .details])))
            },
            AriaMethod("aria2.getFiles") { call throws(AriaError) in
                .array([FileStatus.file(of: try call.view([.job, .details, .path]))])
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

    private static func page(_ call: AriaCall, of list: KeyPath<TaskLists, [UInt64]>) throws(AriaError) -> JSONValue {
        let offset = try call.integer(0)
        let count = try call.integer(1, least: 0)
        let keys = StatusKey.named(try call.keys(2))
        let ids = TaskLists.page(of: call.lists[keyPath: list], from: offset, count: count)
        return .array(call.server.statuses(of: ids, keys))
    }
}
