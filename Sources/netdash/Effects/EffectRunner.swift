import Dashboard
import Foundation
import SessionSupport

/// An object that carries out the model's effects.
///
/// Called on the event loop's thread, and never blocks it, except ``close(unless:)``.
protocol EffectHandling: AnyObject {
    /// Carries out effects in their order. Effects on the terminal and the program itself do not come here.
    ///
    /// Returns what the model is to know at once; what takes time is posted later.
    func perform(_ effects: [Effect]) -> [Message]
    /// A file to show to the user: where it is, and whether it was only made for that and has to be removed.
    func fileToView(of id: UInt64) -> ViewableFile?
    /// Ends all work before the program ends; whatever is live keeps its part and what it needs to go on.
    ///
    /// Returns within two seconds with the status the program ends with, or waits some more for hook commands:
    /// `isInterrupted` is asked whether nobody wants that.
    func close(unless isInterrupted: () -> Bool) -> Int32
    /// The lines that the user is told where the shell goes on, once ``close(unless:)`` has returned.
    var farewell: [SafeText] { get }
}

/// Carries out the effects of the dashboard's model on transfers.
final class EffectRunner: EffectHandling {
    private let opening: SessionOpening
    private let publisher: RowPublisher
    /// Makes the exit status of the results; the demo judges them by its own plan.
    private let judge: ([TransferResult]) -> ExitCode
    /// A queue of its own: Dispatch's shared pool would wake the program every second ever after.
    private let bodyQueue = DispatchQueue(label: "netdash.bodies")
    /// The queue that saves options; the end waits for what is under way.
    private let settingsQueue = DispatchQueue(label: "netdash.settings")
    private let savings = DispatchGroup()
    private let places = PlaceLookup()
    private let opener: FileOpener
    /// The file of the session's looks; nil where they are not kept.
    private let keptLooksPath: String?
    private(set) var farewell: [SafeText] = []
    /// The sentence on hook commands that go on when the program has ended; nil without any.
    private(set) var hooksLeft: SafeText?
    /// The milliseconds that the end waits for hook commands: the shell's prompt is not there yet.
    private static let hookPatience: Int64 = 3_000
    /// The report of lines that are missing in the log, known at the end.
    private(set) var unwritten: UnwrittenReport?

    convenience init(
        service: any TransferService, publisher: RowPublisher, opener: FileOpener = FileOpener()
    ) {
        self.init(opening: SessionOpening(service), publisher: publisher, opener: opener, judge: { ExitCode.of($0) })
    }

    init(
        opening: SessionOpening, publisher: RowPublisher, opener: FileOpener, keptLooksPath: String? = nil,
        judge: @escaping ([TransferResult]) -> ExitCode
    ) {
        self.keptLooksPath = keptLooksPath
        self.opening = opening
        self.opener = opener
        self.publisher = publisher
        self.judge = judge
    }

    func perform(_ effects: [Effect]) -> [Message] {
        for case .saveSettings(let lines) in effects { save(lines) }
        for case .keepLooks(let looks) in effects { keep(looks) }
        for case .open(let id, let folder) in effects { open(id, folder: folder) }
        if let service = opening.service {
            return effects.flatMap { Self.perform($0, on: service, publisher, bodyQueue, places) }
        }
        return effects.flatMap(performEarly)
    }

    /// While the saved session is read there is only a picture of its first rows: what is asked of them is done as soon
    /// as they are there.
    private func performEarly(_ effect: Effect) -> [Message] {
        if case .saveSettings = effect { return [] }
        if case .keepLooks = effect { return [] }
        if case .open = effect { return [] }
        if case .readLog(let isRead) = effect { return publisher.readLog(isRead) }
        if case .completePath(let start) = effect {
            return [.completions(start, PathCompletion.paths(startingWith: start))]
        }
        let (publisher, bodyQueue, places) = (publisher, bodyQueue, places)
        opening.whenReady { service in
            for message in Self.perform(effect, on: service, publisher, bodyQueue, places) { publisher.post(message) }
        }
        return []
    }

    private static func perform(
        _ effect: Effect, on service: any TransferService, _ publisher: RowPublisher, _ bodyQueue: DispatchQueue,
        _ places: PlaceLookup
    ) -> [Message] {
        switch effect {
        case .pause(let ids): return send(.pause(ids), changing: ids, to: service)
        case .resume(let ids): return send(.resume(ids), changing: ids, to: service)
        case .cancel(let ids, let deletingParts):
            return send(.cancel(ids, deletingParts: deletingParts), changing: ids, to: service)
        case .add(let jobs): return add(jobs, to: service)
        case .replace(let id, let job): return replace(id, with: job, in: service)
        case .clear(let ids): service.send(.clear(ids))
        case .prioritise(let ids, let steps):
            return send(.changePriority(ids, steps: steps), changing: ids, to: service)
        case .moveInQueue(let ids, let steps): service.send(.moveInQueue(ids, steps: steps))
        case .setLimits(let limits): service.send(.setLimits(limits.all, perHost: limits.perHost))
        case .setRates(let plan): service.send(.setRates(plan))
        case .limitTasks(let ids, let rates): return send(.limitTasks(ids, rates), changing: ids, to: service)
        case .startNow(let ids): return send(.startNow(ids), changing: ids, to: service)
        case .fetchAgain(let ids): return send(.fetchAgain(ids), changing: ids, to: service)
        case .countConnections(let ids): return [.connections(service.connections(of: ids))]
        case .askPlace(let id): return service.path(of: id).map { [.place(id, path: $0)] } ?? []
        case .deleteFiles(let ids):
            bodyQueue.async { for message in FileEffects.delete(ids, in: service) { publisher.post(message) } }
        case .changeURL(let id, let url, let before):
            bodyQueue.async { publisher.post(FileEffects.changeURL(of: id, to: url, from: before, in: service)) }
        case .moveFile(let id, let path, let before):
            bodyQueue.async { publisher.post(FileEffects.move(id, to: path, from: before, in: service)) }
        case .repeatRequest(let id, let seconds): service.send(.repeatRequest(id, seconds: seconds))
        case .watch(let id): return publisher.watch(id)
        case .readLog(let isRead): return publisher.readLog(isRead)
        case .edit(let id): return service.job(of: id).map { [.edit(id, $0)] } ?? []
        case .quote(let ids, let asCommands): return quote(ids, asCommands: asCommands, of: service)
        case .writeBody(let id, let path):
            bodyQueue.async { publisher.post(writeBody(of: id, in: service, to: path)) }
        case .completePath(let start): return [.completions(start, PathCompletion.paths(startingWith: start))]
        case .lookUp(let job):
            places.lookUp(job, publisher) { service.destinationFacts(for: expandingHome(job)) }
        case .findParts: bodyQueue.async { publisher.post(FileEffects.leftParts(of: service)) }
        case .removeParts(let paths):
            bodyQueue.async {
                for message in FileEffects.removeParts(paths, in: service) { publisher.post(message) }
            }
        // These need more than the transfers.
        case .saveSettings, .keepLooks, .open: break
        // The dashboard keeps these to itself: they are about the terminal and the program.
        case .copy, .announce, .redrawAll, .suspendProgram, .quit, .view, .setMouse, .setFramesPerSecond, .setGlyphs:
            break
        }
        return []
    }

    /// Sends a command and answers how the rows stand now: the next key may have been read with this one, and is to be
    /// judged by them.
    private static func send(
        _ command: TransferCommand, changing ids: [UInt64], to service: any TransferService
    ) -> [Message] {
        service.send(command)
        return [.figures(service.figures(of: ids))]
    }

    func fileToView(of id: UInt64) -> ViewableFile? { opening.service?.fileToView(of: id) }

    private static func add(_ jobs: [Job], to service: any TransferService) -> [Message] {
        let jobs = jobs.map(expandingHome)
        if let (job, problem) = unreadable(jobs) { return [.edit(0, job, problem: problem)] }
        let repetitions = service.send(.add(jobs)).repetitions
        guard repetitions > 0 else { return [] }
        return [.repetitions(repetitions)]
    }

    private static func replace(_ id: UInt64, with job: Job, in service: any TransferService) -> [Message] {
        let job = expandingHome(job)
        if let (_, problem) = unreadable([job]) { return [.edit(id, job, problem: problem)] }
        guard service.send(.replace(id, with: job)).repetitions > 0 else { return [] }
        return [.edit(id, job, problem: "Another task in the list downloads that to the same place")]
    }

    /// The first job whose body is a file that cannot be read, and why.
    private static func unreadable(_ jobs: [Job]) -> (Job, SafeText)? {
        for job in jobs {
            switch job.body {
            case .file(let path), .formFile(let path):
                if let problem = LocalPlaces.problem(withReading: path) { return (job, SafeText(untrusted: problem)) }
            case .none, .text, .standardInput: break
            }
        }
        return nil
    }

    /// Paths that were typed may begin with `~/`.
    private static func expandingHome(_ job: Job) -> Job {
        var job = job
        switch job.body {
        case .file(let path): job.body = .file(path: (path as NSString).expandingTildeInPath)
        case .formFile(let path): job.body = .formFile(path: (path as NSString).expandingTildeInPath)
        case .none, .text, .standardInput: break
        }
        if case .name(let name) = job.output {
            // The expansion drops the slash that makes it a folder.
            let end = job.output.isFolder ? "/" : ""
            job.output = .name(name.hasPrefix("~") ? (name as NSString).expandingTildeInPath + end : name)
        }
        return job
    }

    private static func quote(_ ids: [UInt64], asCommands: Bool, of service: any TransferService) -> [Message] {
        let jobs = ids.compactMap { service.job(of: $0) }
        guard let first = jobs.first else { return [] }
        let text = jobs.map { asCommands ? CurlCommand.text(of: $0) : $0.url }.joined(separator: "\n")
        let count = SafeText(jobs.count)
        if asCommands {
            let isSecret = jobs.contains { job in
                job.headers.contains { Redaction.hidesField($0.name) }
                    || job.options.contains { $0.shownText != $0.text }
            }
            let what: SafeText = jobs.count == 1 ? "as a curl command" : count + " curl commands"
            return [.quoted(text, "Copied " + what + (isSecret ? ", secrets included" : ""))]
        }
        let what = jobs.count == 1 ? SafeText(untrusted: Redaction.url(first.url)) : count + " URLs"
        return [.quoted(text, "Copied " + what)]
    }

    /// Disks may be slow, so this happens elsewhere; the line says how it went.
    private static func writeBody(of id: UInt64, in service: any TransferService, to path: String) -> Message {
        switch service.writeBody(of: id, to: path) {
        case .success(let count):
            let text = "Wrote " + SizeText.short(Int64(count)) + " to " + SafeText(untrusted: path)
            return .toast(text, isError: false)
        case .failure(let failure): return .toast(SafeText(untrusted: failure.message), isError: true)
        }
    }

    private func open(_ id: UInt64, folder: Bool) {
        let (publisher, opener) = (publisher, opener)
        opening.whenReady { FileEffects.open(id, folder: folder, of: $0, with: opener, publisher) }
    }

    /// Options are saved beside everything else: disks may be slow.
    private func save(_ lines: [SettingLine]) {
        settingsQueue.async(group: savings) { [publisher] in
            do throws(UsageError) {
                let path = try ConfigurationFile.save(lines, environment: ProcessInfo.processInfo.environment)
                publisher.post(.settingsSaved(lines, path: path))
            } catch {
                let sentence = "The options were not saved: " + SafeText(untrusted: error.message)
                publisher.post(.toast(sentence, isError: true))
            }
        }
    }

    /// Looks are kept when the program leaves, when there is no screen left for complaints; what was kept before stays then.
    private func keep(_ looks: [KeptLook]) {
        guard let path = keptLooksPath else { return }
        settingsQueue.async(group: savings) { _ = KeptLooksFile.write(looks, to: path) }
    }

    /// Parts are kept: bytes are deleted only when the user says so for each transfer.
    func close(unless isInterrupted: () -> Bool) -> Int32 {
        // Nothing is lost when the disk takes longer than this: what was added and not yet written down has not begun.
        _ = opening.wait(milliseconds: 2_000)
        // A disk that takes longer keeps the file as it was.
        _ = savings.wait(timeout: .now() + .seconds(2))
        let results = opening.service?.close() ?? []
        farewell = opening.service?.farewell(results) ?? []
        hooksLeft = publisher.telling?.leave(
            patience: Self.hookPatience, limit: Self.hookPatience, unless: isInterrupted)
        unwritten = publisher.close()
        if let refusal = opening.refusal { return refusal.exitCode.rawValue }
        return judge(results).counting(unwritten).rawValue
    }
}
