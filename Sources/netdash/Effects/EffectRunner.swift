import Dashboard
import Foundation
import ServiceWire
import SessionSupport
import TransferService

/// Carries out the model's effects.
///
/// Called on the event loop's thread, and never blocks it, except ``close(unless:)``.
protocol EffectHandling: AnyObject {
    /// Carries out an effect, except effects on the terminal and the program itself.
    ///
    /// Returns immediate messages for the model; slow ones are posted later.
    func perform(_ effect: Effect) -> [Message]
    /// Sets the visible rows, which are updated for each frame.
    func show(_ rows: Set<UInt64>)
    /// Ends all work before the program ends; unfinished transfers keep their partial files and can resume.
    ///
    /// Returns the program's status within two seconds, or waits longer for hook commands unless `isInterrupted`
    /// returns true.
    func close(unless isInterrupted: () -> Bool) -> Int32
    /// The closing lines for the shell, once ``close(unless:)`` has returned.
    var closing: [SafeText] { get }
}

extension EffectHandling {
    func perform(_ effects: [Effect]) -> [Message] { effects.flatMap(perform) }
}

extension TransferService {
    /// Sends a command; nil where a service of another process has given no answer, and so may not have done it.
    fileprivate func answer(to command: TransferCommand) -> CommandReply? {
        guard let remote = self as? RemoteService else { return send(command) }
        return remote.reply(to: command)
    }
}

/// Carries out the effects of the dashboard's model on transfers.
final class EffectRunner: EffectHandling {
    private let opening: SessionOpening
    /// The settings of some hosts, for tasks that a user adds.
    private let rules: HostRules
    private let publisher: RowPublisher
    /// Derives the exit status from the results; the demo has its own rule.
    private let judge: ([TransferResult]) -> ExitCode
    /// Tells what adds tasks by itself whether the user waits for the end of all tasks.
    private let awaitEnd: (Bool) -> Void
    /// A separate queue: Dispatch's shared pool would wake the program every second from then on.
    private let bodyQueue = DispatchQueue(label: "netdash.bodies")
    /// The queue that saves options; the end waits for its pending work.
    private let settingsQueue = DispatchQueue(label: "netdash.settings")
    private let savings = DispatchGroup()
    private let destinations = DestinationLookup()
    private let edited = EditedJobs()
    private let opener: FileOpener
    /// The file of the session's view settings; nil where they are not stored.
    private let savedLayoutPath: String?
    private let patience: Int64
    /// The list of failed tasks that a window of a service writes; nil for none.
    private let failures: WindowFailures?
    private(set) var closing: [SafeText] = []
    /// The sentence about hook commands that outlive the program; nil without any.
    private(set) var hooksLeft: SafeText?
    /// The milliseconds that the end waits for hook commands, which delays the shell's prompt.
    private static let hookPatience: Int64 = 3_000
    /// The report of missing lines in the log, known at the end.
    private(set) var unwritten: UnwrittenReport?

    convenience init(
        service: any TransferService, publisher: RowPublisher, opener: FileOpener = FileOpener(),
        patience: Int64 = PromptReply.patience
    ) {
        self.init(
            opening: SessionOpening(service), publisher: publisher, opener: opener, patience: patience,
            judge: { ExitCode.of($0) })
    }

    /// - Parameter patience: the milliseconds that a key waits for its result.
    init(
        opening: SessionOpening, publisher: RowPublisher, opener: FileOpener, savedLayoutPath: String? = nil,
        rules: HostRules = HostRules(), failures: WindowFailures? = nil,
        awaitEnd: @escaping (Bool) -> Void = { _ in }, patience: Int64 = PromptReply.patience,
        judge: @escaping ([TransferResult]) -> ExitCode
    ) {
        self.savedLayoutPath = savedLayoutPath
        self.patience = patience
        self.awaitEnd = awaitEnd
        self.opening = opening
        (self.rules, self.failures) = (rules, failures)
        self.opener = opener
        self.publisher = publisher
        self.judge = judge
    }

    func perform(_ effect: Effect) -> [Message] {
        if !rules.isEmpty, case .send(.add(let jobs)) = effect {
            let own = rules.applied(to: jobs)
            if own != jobs { return perform(.send(.add(own))) }
        }
        switch effect {
        case .saveSettings(let lines): save(lines)
        case .saveLayouts(let layout): keep(layout)
        case .open(let id, let folder): open(id, folder: folder)
        case .awaitEnd(let waits): awaitEnd(waits)
        case .select(let selection): publisher.select(selection)
        case .stopService:
            opening.whenReady { [publisher, failures] service in
                if let remote = service as? RemoteService {
                    failures?.write(from: remote)
                    _ = remote.stop()
                }
                publisher.post(.terminate)
            }
        case .completePath(let start):
            return promptly { [destinations] reply in
                destinations.complete(start) { reply.give([.completions(start, $0)]) }
            }
        default:
            // While the saved session is read, only a snapshot of its first rows exists: commands for them run once it
            // is open.
            return promptly { [opening, publisher, bodyQueue, destinations, edited] reply in
                if case .watch(let id?) = effect, let remote = opening.service as? RemoteService,
                    publisher.watch(id, of: remote, { reply.give($0) })
                {
                    return
                }
                opening.whenReady { service in
                    reply.give(Self.perform(effect, on: service, publisher, bodyQueue, destinations, edited))
                }
            }
        }
        return []
    }

    /// Starts a question elsewhere, and waits for its result no longer than a key may.
    private func promptly(_ ask: (PromptReply) -> Void) -> [Message] {
        let reply = PromptReply { [publisher] message in publisher.post(message) }
        ask(reply)
        return reply.take(within: patience)
    }

    /// Carries out an effect on the thread of ``SessionOpening``, one after the other.
    private static func perform(
        _ effect: Effect, on service: any TransferService, _ publisher: RowPublisher, _ bodyQueue: DispatchQueue,
        _ destinations: DestinationLookup, _ edited: EditedJobs
    ) -> [Message] {
        switch effect {
        case .send(.add(let jobs)):
            guard jobs.contains(where: AddForm.namesSeveralFiles) else { return add(jobs, to: service) }
            // A folder may have any number of files, and other commands must not wait for them.
            bodyQueue.async {
                for message in add(jobs, to: service) { publisher.post(message) }
            }
        case .send(.replace(let id, let job, _)): return replace(id, with: job, edited, in: service)
        case .send(.undo(let step)):
            guard let refusals = service.answer(to: .undo(step))?.refusals else {
                return [.unanswered(.undo(step))]
            }
            guard !refusals.contains(where: { $0.reason == ServiceErrors.serviceRestarted }) else {
                return [.toast(UndoReasons.serviceRestarted, isError: true)]
            }
            let others = refusals.count { $0.reason == ServiceErrors.changedByAnother }
            let told = EffectToasts.notUndone(others, of: step.rows.count)
            let ids = step.changedIDs
            return (ids.isEmpty ? [] : [.figures(service.figures(of: ids))])
                + (others > 0 ? [.toast(told, isError: true)] : [])
        case .send(.amend(let ids, let amendment)):
            let changes = amendment.converted(option: { $0 }, folder: { UserFolder.expanding($0) })
            guard let reply = service.answer(to: .amend(ids, changes)) else {
                return [.unanswered(.amend(ids, amendment))]
            }
            let told = AmendmentReport.messages(reply) + [.figures(service.figures(of: ids))]
            return reply.added.isEmpty ? [.notAmended] + told : told
        case .send(.restore(let ids)): return restore(ids, in: service)
        case .send(let command):
            // A service that was stopped has nothing to forget.
            guard service.answer(to: command) != nil || !command.startsService else { return [.unanswered(command)] }
            let ids = command.changedIDs
            return ids.isEmpty ? [] : [.figures(service.figures(of: ids))]
        case .countConnections(let ids): return [.connections(service.connections(of: ids))]
        case .askPaths(let ids):
            let files = ids.compactMap { id in service.path(of: id).map { FilePlace(id: id, path: $0) } }
            return files.isEmpty ? [] : [.destinations(files)]
        case .watch(let id): return publisher.watch(id)
        case .readLog(let isRead): return publisher.readLog(isRead)
        case .edit(let id): return edited.open(id, in: service).map { [.edit(id, $0)] } ?? []
        case .quote(let ids, let asCommands): return quote(ids, asCommands: asCommands, of: service)
        case .lookUp(let job): destinations.lookUp(job, publisher) { service.destinationInfo(for: expandingHome(job)) }
        default:
            bodyQueue.async {
                for message in performSlowly(effect, on: service) { publisher.post(message) }
            }
        }
        return []
    }

    /// Carries out effects that wait for a disk; ignores effects that do not concern transfers.
    private static func performSlowly(_ effect: Effect, on service: any TransferService) -> [Message] {
        switch effect {
        case .deleteFiles(let ids): FileEffects.delete(ids, in: service)
        case .changeURL(let id, let url): [FileEffects.changeURL(of: id, to: url, in: service)]
        case .moveFile(let file, let path): FileEffects.move(file, to: path, in: service)
        case .moveFileBack(let file): FileEffects.moveBack(file, in: service)
        case .moveFiles(let files, let folder): FileEffects.move(files, to: folder, in: service)
        case .moveFilesBack(let files): FileEffects.moveBack(files, in: service)
        case .view(let id): [FileEffects.view(id, of: service)]
        case .writeBody(let id, let path): [writeBody(of: id, in: service, to: path)]
        case .readList(let path, let defaults): [ListReading.message(path, defaults: defaults)]
        case .findParts: [FileEffects.leftovers(of: service)]
        case .readHistory: [FileEffects.history(of: service)]
        case .removeParts(let paths): FileEffects.removeParts(paths, in: service)
        default: []
        }
    }

    func show(_ rows: Set<UInt64>) { publisher.show(rows) }

    private static func add(_ typed: [Job], to service: any TransferService) -> [Message] {
        let found: UploadSources.Findings<Job>
        do throws(TypedUploads.Refusal) {
            found = try TypedUploads.jobs(typed)
        } catch {
            return [.edit(0, error.job, problem: error.sentence)]
        }
        let jobs = found.items.map(expandingHome)
        if let (job, problem) = unreadable(jobs) { return [.edit(0, job, problem: problem)] }
        guard let reply = service.answer(to: .add(jobs)) else { return [.unanswered(.add(jobs))] }
        if let refusal = reply.refusals.first { return [.toast(refusal.reason, isError: true)] }
        let repetitions = reply.repeated.count
        guard repetitions > 0 else {
            guard jobs.count != typed.count || !found.leftOut.isEmpty else { return [] }
            return [.toast(EffectToasts.addedUploads(jobs.count, remarks: found.leftOut.remarks), isError: false)]
        }
        return [.repetitions(repetitions, of: typed.count)]
    }

    private static func replace(
        _ id: UInt64, with job: Job, _ edited: EditedJobs, in service: any TransferService
    ) -> [Message] {
        let job = expandingHome(job)
        if let (_, problem) = unreadable([job]) { return [.edit(id, job, problem: problem)] }
        guard let reply = service.answer(to: .replace(id, with: job, over: edited[id])) else {
            return [.unanswered(.replace(id, with: job))]
        }
        let refusal = reply.refusals.first
        // The user has been told of the other change, and may replace it.
        if refusal != nil, edited.open(id, in: service) == nil {
            return [.edit(id, job, problem: FormErrors.taskRemoved)]
        }
        return refusal.map { [.edit(id, job, problem: $0.reason)] } ?? []
    }

    /// Brings removed rows back; the ones that another run of the service no longer has leave the screen again.
    private static func restore(_ ids: [UInt64], in service: any TransferService) -> [Message] {
        guard let gone = service.answer(to: .restore(ids))?.refusals.map(\.id) else {
            return [.unanswered(.restore(ids))]
        }
        guard !gone.isEmpty else { return [] }
        return [.removed(gone), .toast(EffectToasts.goneForGood(gone.count), isError: true)]
    }

    /// The first job with an unreadable body file, and why.
    private static func unreadable(_ jobs: [Job]) -> (Job, SafeText)? {
        for job in jobs {
            switch job.body {
            case .file(let path), .formFile(let path):
                if let problem = LocalEndpoints.problem(withReading: path) {
                    return (job, SafeText(untrusted: problem))
                }
            case .none, .text, .standardInput: break
            }
        }
        return nil
    }

    /// Expands `~/` in typed paths.
    private static func expandingHome(_ job: Job) -> Job {
        var job = job
        switch job.body {
        case .file(let path): job.body = .file(path: UserFolder.expanding(path))
        case .formFile(let path): job.body = .formFile(path: UserFolder.expanding(path))
        case .none, .text, .standardInput: break
        }
        job.directory = job.directory.map { UserFolder.expanding($0) }
        if case .name(let name) = job.output {
            // The expansion drops the slash that makes it a folder.
            let end = job.output.isFolder ? "/" : ""
            job.output = .name(name.hasPrefix("~") ? UserFolder.expanding(name) + end : name)
        }
        return job
    }

    private static func quote(_ ids: [UInt64], asCommands: Bool, of service: any TransferService) -> [Message] {
        let jobs = service.jobs(of: ids)
        guard let first = jobs.first else { return [] }
        let text = jobs.map { asCommands ? CurlCommand.text(of: $0) : $0.url }.joined(separator: "\n")
        if asCommands {
            let isSecret = jobs.contains { job in
                job.headers.contains { Redaction.hidesField($0.name) }
                    || job.options.contains { $0.shownText != $0.text }
            }
            let told =
                jobs.count == 1
                ? isSecret ? EffectToasts.copiedSecretCommand : EffectToasts.copiedCommand
                : isSecret
                    ? EffectToasts.copiedSecretCommands(jobs.count) : EffectToasts.copiedCommands(jobs.count)
            return [.quoted(text, told)]
        }
        let url = SafeText(url: first.url)
        return [.quoted(text, jobs.count == 1 ? EffectToasts.copied(url) : EffectToasts.copiedURLs(jobs.count))]
    }

    /// Writes a body on another thread, because disks may be slow; the message reports the result.
    private static func writeBody(of id: UInt64, in service: any TransferService, to path: String) -> Message {
        let path = UserFolder.expanding(path)
        switch service.writeBody(of: id, to: path) {
        case .success(let count):
            let text = EffectToasts.written(SizeText.short(Int64(count)), to: SafeText(untrusted: path))
            return .toast(text, isError: false)
        case .failure(let failure): return .toast(SafeText(untrusted: failure.message), isError: true)
        }
    }

    private func open(_ id: UInt64, folder: Bool) {
        let (publisher, opener) = (publisher, opener)
        opening.whenReady { FileEffects.open(id, folder: folder, of: $0, with: opener, publisher) }
    }

    /// Saves options on another thread, because disks may be slow.
    private func save(_ lines: [SettingLine]) {
        settingsQueue.async(group: savings) { [publisher] in
            do throws(UsageError) {
                let path = try ConfigurationFile.save(lines, environment: ProcessInfo.processInfo.environment)
                publisher.post(.settingsSaved(lines, path: path))
            } catch {
                let sentence = EffectToasts.optionsNotSaved(SafeText(untrusted: error.message))
                publisher.post(.toast(sentence, isError: true))
            }
        }
    }

    /// Stores the view settings at the end, without a screen for complaints; a failure keeps the earlier file.
    private func keep(_ layout: [SavedLayout]) {
        guard let path = savedLayoutPath else { return }
        settingsQueue.async(group: savings) { _ = SavedLayoutFile.write(layout, to: path) }
    }

    /// Keeps partial files: bytes are deleted only when the user says so for each transfer.
    func close(unless isInterrupted: () -> Bool) -> Int32 {
        // A slower disk loses nothing: added transfers that are not saved yet have not begun.
        _ = opening.wait(milliseconds: 2_000)
        // A slower disk keeps the earlier file.
        _ = savings.wait(timeout: .now() + .seconds(2))
        opening.stopListening()
        let unlisted = (opening.service as? RemoteService).flatMap { failures?.write(from: $0) }
        let end = opening.service?.close() ?? RunEnd()
        closing = end.closing + [unlisted].compactMap(\.self)
        hooksLeft = publisher.record.notifier?.leave(
            patience: Self.hookPatience, limit: Self.hookPatience, unless: isInterrupted)
        unwritten = publisher.close()
        if let refusal = opening.refusal { return refusal.exitCode.rawValue }
        return judge(end.results).counting(unwritten)
            .counting(complaints: end.complaints + [unlisted].compactMap(\.self)).rawValue
    }
}
