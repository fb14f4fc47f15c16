/// Reads jobs from a list in netdash's input format, one line at a time.
///
/// A line that begins in the first column is a URL; indented lines below it are its options, as `key=value`: out, dir,
/// checksum, priority, header, query, auth and bearer. Lines beginning with `#` are comments.
package struct ListReader {
    /// What the end of a job gives.
    package enum Entry: Equatable {
        case job(NewJob)
        /// A refused job, with the line of its fault.
        case refused(line: Int, String)
    }

    private let folder: String
    private let usesTree: Bool
    private var lineNumber = 0
    private var pending: Pending?

    private struct Pending {
        var line: Int
        var url: String
        var options: [(line: Int, name: Substring, value: Substring)] = []
        var fault: Entry?
    }

    /// `folder` is the folder of files below each worker's own; with `usesTree` a file's path follows its URL's.
    package init(folder: String = "", usesTree: Bool = false) throws(FleetError) {
        if !folder.isEmpty {
            do { try JobRules.check(destination: folder) } catch {
                throw FleetError(.usage, ListErrors.badFolder(error.text))
            }
        }
        self.folder = folder
        self.usesTree = usesTree
    }

    /// Takes a line without its line feed; returns the job before it if the line ends that one.
    package mutating func take(_ bytes: some Collection<UInt8>) -> Entry? {
        lineNumber += 1
        guard bytes.count <= 65_536 else { return fault(JobFaults.longLine) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return fault(JobFaults.notText) }
        let line = text.utf8.last == 0x0D ? text.dropLast() : text[...]
        switch line.utf8.first {
        case nil: return finish()
        case 0x23: return nil
        case 0x20, 0x09:
            let option = line.drop { $0 == " " || $0 == "\t" }
            guard !option.isEmpty else { return finish() }
            guard option.utf8.first != 0x23 else { return nil }
            return take(option: option)
        default:
            let ended = finish()
            // Further URLs of the line are mirrors, which a queue has not.
            pending = Pending(line: lineNumber, url: String(line.prefix { $0 != "\t" }))
            return ended
        }
    }

    private mutating func take(option: Substring) -> Entry? {
        guard pending != nil else { return .refused(line: lineNumber, JobFaults.noURL) }
        let equals = option.firstIndex(of: "=") ?? option.endIndex
        let value = equals == option.endIndex ? "" : option[option.index(after: equals)...]
        pending?.options.append((lineNumber, option[..<equals], value))
        return nil
    }

    /// Notes a fault of this line: in a job's lines it refuses the job.
    private mutating func fault(_ text: String) -> Entry? {
        let entry = Entry.refused(line: lineNumber, text)
        guard let fault = pending.map(\.fault) else { return entry }
        if fault == nil { pending?.fault = entry }
        return nil
    }

    /// Ends the job at hand, at the end of the list too.
    package mutating func finish() -> Entry? {
        guard let ended = pending else { return nil }
        pending = nil
        if let fault = ended.fault { return fault }
        return make(ended)
    }

    private func make(_ pending: Pending) -> Entry {
        var line = pending.line
        do throws(JobFault) {
            let address = try JobRules.check(url: pending.url)
            var job = NewJob(url: pending.url, host: address.host, line: pending.line, destination: "")
            var directory: Substring = ""
            for option in pending.options {
                line = option.line
                switch option.name {
                case "out": job.destination = String(option.value)
                case "dir": directory = option.value
                default: try set(String(option.name), String(option.value), in: &job)
                }
            }
            if job.destination.isEmpty {
                guard let name = usesTree ? address.treeName : address.fileName else {
                    throw JobFault(JobFaults.noName)
                }
                job.destination = name
            }
            for prefix in [directory, folder[...]] where !prefix.isEmpty {
                job.destination = prefix + "/" + job.destination
            }
            try JobRules.check(destination: job.destination)
            return .job(job)
        } catch {
            return .refused(line: line, error.text)
        }
    }

    private func set(_ name: String, _ value: String, in job: inout NewJob) throws(JobFault) {
        switch name {
        case "checksum":
            try JobRules.check(checksum: value)
            job.checksum = value.lowercased()
        case "priority":
            guard let priority = Int(value), (-100...100).contains(priority) else {
                throw JobFault(JobFaults.badPriority)
            }
            job.priority = priority
        default:
            try JobRules.check(option: name, value: value)
            job.options[name, default: []].append(value)
        }
    }
}
