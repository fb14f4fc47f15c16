import Dashboard

/// Jobs that nothing has happened to yet, by an index that grows: their URLs in one block of memory, and the number of
/// what each has in common with the jobs before it.
struct UntouchedRows: Sendable {
    /// Stands for a job that is not there.
    private static let gap: Int32 = -1

    private var bytes: [UInt8] = []
    /// Where each URL ends; it begins where the one before it ends.
    private var ends: [Int] = []
    /// By index; ``gap`` where there is no job.
    private var templateNumbers: [Int32] = []
    /// Jobs without their URLs.
    private var templates: [Job] = []

    /// Adds a job behind all others.
    mutating func insert(_ job: Job, at index: Int) {
        if templates.last?.differsOnlyInURL(from: job) != true { templates.append(template(of: job)) }
        while ends.count < index { append("", Self.gap) }
        append(job.url, Int32(truncatingIfNeeded: templates.count - 1))
    }

    /// The job of an index; nil when there is none.
    func job(_ index: Int) -> Job? {
        guard let template = template(index) else { return nil }
        var job = template
        let range = (index == 0 ? 0 : ends[index - 1])..<ends[index]
        job.url = bytes.withUnsafeBufferPointer { bytes in
            String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        }
        return job
    }

    /// Whether a job waits for its user; nil when there is none.
    func startsPaused(_ index: Int) -> Bool? { template(index)?.startsPaused }

    /// Forgets a job; its text stays, because a row that something happens to takes ten times as much.
    mutating func remove(_ index: Int) { templateNumbers[index] = Self.gap }

    private func template(of job: Job) -> Job {
        var template = job
        template.url = ""
        return template
    }

    private func template(_ index: Int) -> Job? {
        guard templateNumbers.indices.contains(index), templateNumbers[index] != Self.gap else { return nil }
        return templates[Int(templateNumbers[index])]
    }

    private mutating func append(_ url: String, _ number: Int32) {
        bytes.append(contentsOf: url.utf8)
        ends.append(bytes.count)
        templateNumbers.append(number)
    }
}
