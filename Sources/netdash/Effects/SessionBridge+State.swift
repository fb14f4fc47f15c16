import SessionCore

/// What the bridge knows, all under one lock.
extension SessionBridge {
    struct State {
        /// What is to become of a task that was just made.
        enum Fate {
            case runs
            /// The row was paused meanwhile.
            case holds
            /// The row has ended meanwhile.
            case isUnwanted
        }

        var rows: [UInt64: TransferRow] = [:]
        /// In the order in which they were added.
        var order: [UInt64] = []
        var rowOfTask: [TransferID: UInt64] = [:]
        /// Who has a task and who waits for one.
        var room: WaitingRoom
        var nextID: UInt64 = 1
        /// Of every download so far, so that the same one is not transferred twice.
        var destinations: Set<JobDestination> = []
        /// Rows whose latest run has not ended.
        var liveCount = 0
        /// Set when the program ends: tasks that are cancelled then are unfinished, not cancelled.
        var isClosing = false
        /// Bytes of runs that were replaced by a retry or whose rows were cleared.
        var earlierBytes: Int64 = 0

        init(room: WaitingRoom) {
            self.room = room
        }

        /// Adds a row without a task.
        mutating func insert(_ job: Job, path: String?) -> UInt64 {
            let id = nextID
            nextID += 1
            var row = TransferRow(id: id, job: job)
            row.isHeld = job.startsPaused
            row.details.requestHeaders = TransferRow.fields(job.headers.map { (name: $0.name, value: $0.value) })
            row.intendedPath = path
            rows[id] = row
            order.append(id)
            liveCount += 1
            return id
        }

        /// The next row that gets a task, when there is room for one.
        mutating func nextAdmitted() -> TransferRow? {
            guard !isClosing, let id = room.admit(where: { rows[$0]?.wantsTask == true }) else { return nil }
            return rows[id]
        }

        /// A row that has become urgent gets a task although there may be no room for it.
        mutating func admit(_ id: UInt64) -> TransferRow? {
            guard !isClosing, let row = rows[id], row.wantsTask else { return nil }
            room.enter(id)
            return row
        }

        /// Sorts the rows that wait for tasks, after their places have changed.
        mutating func sortRoom() {
            room.sort { id in rows[id]?.queueKey }
        }

        /// Gives a task to a row.
        mutating func attach(_ product: TaskFactory.Product, to id: UInt64) -> Fate {
            guard let row = rows[id], !row.isFinal else { return .isUnwanted }
            rowOfTask[product.task.id] = id
            rows[id]?.task = product.task
            rows[id]?.output = product.output
            if row.isHeld { room.leave(id) }
            return row.isHeld ? .holds : .runs
        }
    }
}
