import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Tells what a run would transfer, and writes nothing.
struct DryRun {
    /// The number of jobs that are asked about in one step.
    private static let pageLength = 64

    private let invocation: Invocation
    private let formatter: PreviewFormatter

    init(_ invocation: Invocation) {
        var invocation = invocation
        // A list is read to its end before the first server is asked.
        invocation.inputLists = invocation.inputLists.map(\.readWhole)
        invocation.jobs = invocation.jobs.map(Self.withoutFiles)
        invocation.jobDefaults = Self.withoutFiles(invocation.jobDefaults)
        invocation.settings.options = Self.withoutFiles(invocation.settings.options)
        invocation.settings.failedPath = nil
        // Opening the archive would create it.
        if let path = invocation.settings.archivePath, access(path, F_OK) != 0 { invocation.settings.archivePath = nil }
        self.invocation = invocation
        formatter = PreviewFormatter(isJSON: invocation.output == .json)
    }

    private static func withoutFiles(_ job: Job) -> Job {
        guard job.options.contains(.cookieJar) else { return job }
        var job = job
        job.options = withoutFiles(job.options)
        return job
    }

    /// A file of cookies is read but not written; a missing one has none.
    private static func withoutFiles(_ options: [JobOption.Value]) -> [JobOption.Value] {
        options.compactMap { value in
            guard value.option == .cookieJar else { return value }
            return access(value.text, R_OK) == 0 ? JobOption.Value(.cookie, value.text) : nil
        }
    }

    /// Prints the previews, page by page; a signal ends the program.
    func carryOut(signals: Signals) throws(UsageError) -> ExitCode {
        var problems: [UsageError] = []
        let jobs = try Preflight.jobs(of: invocation, signals: signals) { problems.append($0) }
        // As in a run, a list without a URL is no mistake.
        guard !jobs.isEmpty || !problems.isEmpty || !invocation.inputLists.isEmpty else {
            throw UsageError(ProgramErrors.nothingToPreview)
        }
        for warning in invocation.warnings { Netdash.say("netdash: " + warning) }
        for problem in problems { Netdash.complain(problem.message) }
        let bell: Mailbox<[JobPreview]>
        do throws(SystemCallError) {
            bell = try Mailbox()
        } catch {
            throw UsageError(ProgramErrors.cannotStart("\(error)"))
        }
        let service = LocalService(
            settings: invocation.settings.forService, printsBodies: false,
            for: Interest(hearsMilestones: false, takesCommands: false))
        let names = PreviewNames()
        var sum = PreviewSum()
        var results: [TransferResult] = []
        while case let page = jobs.next(Self.pageLength), !page.isEmpty {
            service.preview(page, names) { bell.post($0) }
            signals.obey(until: bell.descriptor)
            let previews = bell.drain().flatMap(\.self)
            for preview in previews { sum.add(preview) }
            results += previews.map(\.result)
            let shown = invocation.settings.isQuiet ? previews.filter { $0.failure != nil } : previews
            let status = StandardStreams.print(shown.map(formatter.line))
            guard status == .success else { return status }
        }
        let status = invocation.settings.isQuiet ? .success : StandardStreams.print([formatter.line(of: sum)])
        guard problems.isEmpty else { return .usage }
        return status == .success ? invocation.exits.status(of: results).counting(invocation.leftOut) : status
    }
}
