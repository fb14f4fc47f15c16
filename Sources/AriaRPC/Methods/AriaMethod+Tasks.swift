import SessionSupport
import TransferValues

/// The methods that start, stop and remove tasks.
extension AriaMethod {
    static var ofTasks: [AriaMethod] {
        [
            AriaMethod("aria2.remove", run: remove), AriaMethod("aria2.forceRemove", run: remove),
            AriaMethod("aria2.pause", run: pause), AriaMethod("aria2.forcePause", run: pause),
            AriaMethod("aria2.pauseAll", run: pauseAll), AriaMethod("aria2.forcePauseAll", run: pauseAll),
            AriaMethod("aria2.unpause") { call throws(AriaError) in
                let (row, gid) = try call.task()
                guard row.phase == .paused else { throw AriaError(AriaErrors.cannotUnpause(gid)) }
                try call.server.change(row.id, by: .resume([row.id]))
                return .string(gid)
            },
            AriaMethod("aria2.unpauseAll") { call in
                all(call, where: { $0 == .paused }) { .resume($0) }
            },
            AriaMethod("aria2.removeDownloadResult") { call throws(AriaError) in
                let (row, gid) = try call.task()
                guard row.phase.isStopped else { throw AriaError(AriaErrors.cannotRemoveResult(gid)) }
                call.server.clear([row.id])
                return ok
            },
            AriaMethod("aria2.purgeDownloadResult") { call in
                call.server.clear(call.ids(of: .stopped))
                return ok
            },
        ]
    }

    /// A task that runs stays as a stopped one; a waiting one leaves the list at once.
    private static func remove(_ call: AriaCall) throws(AriaError) -> JSONValue {
        let (row, gid) = try call.task()
        guard !row.phase.isStopped else { throw AriaError(AriaErrors.notActive(gid)) }
        try call.server.change(row.id, by: .cancel([row.id], deletingParts: false))
        if row.phase.isWaiting {
            call.server.leave(row.id)
        } else {
            call.server.end(row.id)
        }
        return .string(gid)
    }

    private static func pause(_ call: AriaCall) throws(AriaError) -> JSONValue {
        let (row, gid) = try call.task()
        guard row.phase == .active || row.phase == .waiting else { throw AriaError(AriaErrors.cannotPause(gid)) }
        try call.server.change(row.id, by: .pause([row.id]))
        return .string(gid)
    }

    private static func pauseAll(_ call: AriaCall) throws(AriaError) -> JSONValue {
        all(call, where: { $0 == .active || $0 == .waiting }) { .pause($0) }
    }

    private static func all(
        _ call: AriaCall, where fits: (TaskPhase) -> Bool, _ command: ([UInt64]) -> TransferCommand
    ) -> JSONValue {
        let ids = call.server.standings().filter { fits($0.phase) }.map(\.id)
        if !ids.isEmpty { _ = call.tasks.send(command(ids)) }
        return ok
    }
}
