internal import FleetQueue

/// The way of a job's file into a bucket, as a pure value: the next step after each answer.
///
/// A step may be repeated, and an object is never replaced: the store is asked to place one only where none is. The
/// job's mark is stored beside the object, so that the next worker acknowledges what a killed one has placed. Before the
/// object appears the queue is asked whether the job is still this worker's.
struct ObjectUpload: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// Looks whether the object is there.
        case look
        /// The file comes into the spool.
        case download
        /// Places the file in one request.
        case put
        /// Begins an upload in parts.
        case create
        case part(Int)
        /// Asks the queue whether the job is still this worker's.
        case ask
        /// Makes the store join the parts.
        case join
        /// Removes the parts.
        case remove
        /// Looks whether the object that is there is the same.
        case compare
        case end(End)
    }

    enum End: Equatable, Sendable {
        /// The object is there; true if it was before.
        case placed(ObjectFacts, wasThere: Bool)
        case failed(JobFailure)
        case stopped
    }

    enum Answer: Equatable, Sendable {
        /// What is there; nil for nothing.
        case found(FoundObject?)
        case downloaded(ObjectFacts)
        /// The job is still this worker's.
        case allowed
        case created(id: String)
        case stored(StoredPart)
        case placed
        /// Another object is there.
        case exists
        case removed
        case failed(JobFailure)
        /// The worker is told to stop.
        case stop
    }

    /// A part that the store has.
    struct StoredPart: Equatable, Sendable {
        var tag: String
        /// The SHA-256 in Base64.
        var digest: String
    }

    /// A part's usual size.
    static let usualPart: Int64 = 16 << 20
    private static let mostParts: Int64 = 10_000

    /// What the object of this job is marked with.
    let mark: String
    /// The SHA-256 that the job demands, in small hexadecimal digits; nil without one.
    let wanted: String?
    private(set) var step = Step.look
    private(set) var facts: ObjectFacts?
    private(set) var uploadID: String?
    private(set) var parts: [StoredPart] = []
    private var found: FoundObject?
    /// What follows the removal of the parts.
    private var afterRemoval: Step?

    init(mark: String, wanted: String? = nil) {
        self.mark = mark
        self.wanted = wanted
    }

    var partSize: Int64 {
        let least = ((facts?.length ?? 0) + Self.mostParts - 1) / Self.mostParts
        let mebibyte: Int64 = 1 << 20
        return max(Self.usualPart, (least + mebibyte - 1) / mebibyte * mebibyte)
    }

    var partCount: Int { Int(((facts?.length ?? 0) + partSize - 1) / partSize) }

    /// The bytes of a part.
    func range(ofPart number: Int) -> Range<Int64> {
        let start = Int64(number - 1) * partSize
        return start..<min(start + partSize, facts?.length ?? 0)
    }

    /// Takes an answer, and turns to the next step.
    mutating func take(_ answer: Answer) {
        switch (step, answer) {
        case (.end, _): break
        case (.remove, .stop): afterRemoval = .end(.stopped)
        case (.remove, _): (step, uploadID) = (afterRemoval ?? .end(.stopped), nil)
        case (_, .stop): leave(for: .end(.stopped))
        case (_, .failed(let failure)): leave(for: .end(.failed(failure)))
        case (.look, .found(let object)): takeLook(object)
        case (.download, .downloaded(let facts)): takeFile(facts)
        case (.create, .created(let id)): (uploadID, step) = (id, .part(1))
        case (.part(let number), .stored(let part)):
            parts.append(part)
            step = number < partCount ? .part(number + 1) : .ask
        case (.ask, .allowed): step = uploadID == nil ? .put : .join
        case (.put, .placed), (.join, .placed): place(wasThere: false)
        case (.put, .exists): step = .compare
        case (.join, .exists): leave(for: .compare)
        case (.compare, .found(let object)): compare(object)
        default: leave(for: .end(.failed(.again(JobCause(TransferFaults.storeAnswer)))))
        }
    }

    private mutating func takeLook(_ object: FoundObject?) {
        guard let object else {
            step = .download
            return
        }
        if object.mark == mark || (wanted != nil && object.digest == wanted) {
            let facts = ObjectFacts(length: object.length, digest: object.digest ?? "")
            step = .end(.placed(facts, wasThere: true))
        } else if object.digest == nil || (wanted != nil && object.digest != wanted) {
            step = .end(.failed(.final(JobCause(TransferFaults.otherObject))))
        } else {
            (found, step) = (object, .download)
        }
    }

    private mutating func takeFile(_ facts: ObjectFacts) {
        self.facts = facts
        if let found {
            compare(found)
        } else {
            step = facts.length < 2 * Self.usualPart ? .ask : .create
        }
    }

    private mutating func compare(_ object: FoundObject?) {
        guard let object, let facts else {
            step = .end(.failed(.again(JobCause(TransferFaults.storeAnswer))))
            return
        }
        if object.length == facts.length, object.mark == mark || object.digest == facts.digest {
            place(wasThere: true)
        } else {
            step = .end(.failed(.final(JobCause(TransferFaults.otherObject))))
        }
    }

    private mutating func place(wasThere: Bool) {
        uploadID = nil
        step = .end(
            facts.map { .placed($0, wasThere: wasThere) } ?? .failed(.again(JobCause(TransferFaults.storeAnswer))))
    }

    /// Turns to a step for which parts at the store are of no use.
    private mutating func leave(for next: Step) {
        if uploadID == nil {
            step = next
        } else {
            (step, afterRemoval) = (.remove, next)
        }
    }
}

/// A file on its way into a bucket, or an object there.
struct ObjectFacts: Equatable, Sendable {
    var length: Int64
    /// The SHA-256 in small hexadecimal digits; empty if the store does not say it.
    var digest: String
    /// The type by the file's server.
    var type: String?
}

/// An object that is there.
struct FoundObject: Equatable, Sendable {
    var length: Int64
    /// The mark of the job that has placed it; nil without one.
    var mark: String?
    /// The SHA-256 in small hexadecimal digits; nil if the store does not say it.
    var digest: String?
}
