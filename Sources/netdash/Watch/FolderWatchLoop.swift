import CLinux
import Dashboard
import Foundation
import Glibc
import SessionSupport
import TransferService

/// The thread of a ``FolderWatch``: waits for events of the folder and takes the files.
struct FolderWatchLoop {
    /// Milliseconds until what did not work is tried again.
    private static let retryDelay: Int64 = 2_000
    /// Files whose tasks are saved with one wait for the disk.
    private static let batchLength = 256
    private static let eventCapacity: Int32 = 512

    let path: String
    let terms: DroppedFile.Terms
    let lockFolder: String?
    let service: FolderWatch.Service

    /// The kernel's events; -1 while the folder is not watched.
    private var events: Int32 = -1
    private var lock: Int32 = -1
    /// Files whose tasks are added and not known to be saved, or that cannot be moved, by name.
    private var waiting: [String: Waiting] = [:]
    /// The problem that was told last; nil after it has ended.
    private var toldProblem: String?
    /// The files with names that are not UTF-8, as they were told.
    private var toldUnnamed: Set<String> = []
    private var hasWatched = false
    private var retryAt: Int64?

    private struct Waiting {
        var identity: WatchedFolder.Identity
        /// The hash of the bytes, by which the file is known again when only its times were set.
        var content: UInt64
        var added: Int
    }

    init(path: String, terms: DroppedFile.Terms, lockFolder: String?, service: FolderWatch.Service) {
        (self.path, self.terms, self.lockFolder, self.service) = (path, terms, lockFolder, service)
    }

    mutating func run(until bell: Mailbox<Void>) {
        defer {
            stopWatching()
            if lock >= 0 { close(lock) }
        }
        begin()
        while true {
            var entries = [
                pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: events, events: Int16(POLLIN), revents: 0),
            ]
            let timeout = retryAt.map { Int32(clamping: max($0 - MonotonicClock.milliseconds, 0)) } ?? -1
            let count = poll(&entries, nfds_t(entries.count), timeout)
            precondition(count >= 0 || errno == EINTR, "poll failed with errno \(errno)")
            if entries[0].revents != 0 { return }
            let isDue = retryAt.map { $0 <= MonotonicClock.milliseconds } ?? false
            if events < 0 {
                if isDue { begin() }
            } else if isDue {
                takeAll()
            } else if entries[1].revents != 0 {
                handleEvents()
            }
        }
    }

    // MARK: - Watching

    /// Watches the folder and takes what lies there; tries again later where that is impossible.
    private mutating func begin() {
        retryAt = nil
        do throws(WatchProblem) {
            try watch()
        } catch {
            stopWatching()
            retryAt = MonotonicClock.milliseconds + Self.retryDelay
            return tellOnce(error.sentence) { WatchLines.stopped($0, SafeText(untrusted: error.sentence)) }
        }
        let shown = SafeText(untrusted: path)
        if toldProblem != nil { service.tell(WatchLines.watchingAgain(shown), false) }
        if toldProblem == nil, !hasWatched { service.tell(WatchLines.watching(shown), false) }
        (toldProblem, hasWatched) = (nil, true)
        takeAll()
    }

    private struct WatchProblem: Error {
        var sentence: String
    }

    private mutating func watch() throws(WatchProblem) {
        func failed() -> WatchProblem { WatchProblem(sentence: SystemWords.text(errno)) }
        events = cl_watch_open()
        guard events >= 0 else { throw failed() }
        // Events come from here on, so nothing is missed between this and the first look.
        guard cl_watch_add(events, path) == 0 else { throw failed() }
        var (status, downloads) = (stat(), stat())
        guard stat(path, &status) == 0 else { throw failed() }
        if stat(terms.folder, &downloads) == 0, status.st_dev == downloads.st_dev, status.st_ino == downloads.st_ino {
            throw WatchProblem(sentence: WatchUsage.isDownloadFolder)
        }
        try takeLock(status)
    }

    /// Two processes must not take one file.
    private mutating func takeLock(_ status: stat) throws(WatchProblem) {
        guard let lockFolder, lock < 0 else { return }
        let number = StableHash.value(Int64(bitPattern: UInt64(status.st_ino)), after: UInt64(status.st_dev))
        let name = "\(lockFolder)/watch-\(StableHash.digits(of: number, count: 16)).lock"
        let descriptor = Glibc.open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw WatchProblem(sentence: SystemWords.text(errno)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            throw WatchProblem(sentence: number == EWOULDBLOCK ? WatchUsage.isTaken : SystemWords.text(number))
        }
        lock = descriptor
    }

    private mutating func stopWatching() {
        if events >= 0 { close(events) }
        events = -1
    }

    private mutating func handleEvents() {
        var names: [String] = []
        var seen: Set<String> = []
        var isGone = false
        var isIncomplete = false
        while true {
            var found = [cl_watch_event](repeating: cl_watch_event(), count: Int(Self.eventCapacity))
            let count = cl_watch_read(events, &found, Self.eventCapacity)
            guard count > 0 else {
                if count < 0 { isGone = true }
                break
            }
            for event in found.prefix(Int(count)) {
                isGone = isGone || event.gone
                isIncomplete = isIncomplete || event.overflowed
                let bytes = withUnsafeBytes(of: event.name) { Array($0.prefix { $0 != 0 }) }
                guard let name = String(validating: bytes, as: UTF8.self) else {
                    tell(unnamed: [String(decoding: bytes, as: UTF8.self)])
                    continue
                }
                if !name.isEmpty, seen.insert(name).inserted { names.append(name) }
            }
        }
        if isGone {
            // The lock is for the folder that is gone.
            if lock >= 0 { close(lock) }
            lock = -1
            stopWatching()
            return begin()
        }
        if isIncomplete { takeAll() } else { take(names) }
    }

    /// Tells a problem when it begins, and not again until it has ended or is another one.
    private mutating func tellOnce(_ problem: String, _ words: (SafeText) -> SafeText) {
        guard toldProblem != problem else { return }
        toldProblem = problem
        service.tell(words(SafeText(untrusted: path)), true)
    }

    /// Tells once of each file that would be taken if its name were text.
    private mutating func tell(unnamed names: [String]) {
        for name in names where DroppedFile.kind(of: name) != nil && toldUnnamed.insert(name).inserted {
            service.tell(WatchLines.stays(SafeText(untrusted: name), SafeText(untrusted: WatchUsage.nameNotUTF8)), true)
        }
    }

    // MARK: - Taking

    /// Takes every file in the folder.
    private mutating func takeAll() {
        retryAt = nil
        do throws(WatchedFolder.Failure) {
            let (names, unnamed) = try WatchedFolder(path).names()
            toldUnnamed.formIntersection(unnamed)
            tell(unnamed: unnamed)
            waiting = waiting.filter { names.contains($0.key) }
            take(names)
        } catch {
            // Its removal comes as an event too.
            retryLater()
        }
    }

    private mutating func take(_ names: [String]) {
        let names = names.filter { DroppedFile.kind(of: $0) != nil }
        guard !names.isEmpty else { return }
        do throws(WatchedFolder.Failure) {
            let folder = try WatchedFolder(path)
            for start in stride(from: 0, to: names.count, by: Self.batchLength) {
                for name in names[start..<min(start + Self.batchLength, names.count)] { take(name, in: folder) }
                settle(in: folder)
            }
        } catch {
            retryLater()
        }
    }

    private mutating func retryLater() { retryAt = MonotonicClock.milliseconds + Self.retryDelay }

    private mutating func take(_ name: String, in folder: WatchedFolder) {
        guard let kind = DroppedFile.kind(of: name) else { return }
        if let known = waiting[name], recognize(name, known, in: folder) { return }
        switch folder.look(at: name) {
        case .leftAlone: return
        case .later: retryLater()
        case .refused(let reason): refuse(name, reason, in: folder)
        case .read(let bytes, let identity, let number):
            do throws(UsageError) {
                let jobs = try DroppedFile(name: name, kind: kind, bytes: bytes).jobs(terms: terms)
                let check = JobCheck(directory: terms.folder)
                for job in jobs { try check.check(job) }
                guard isReady(folder, for: name) else { return }
                waiting[name] = Waiting(
                    identity: identity, content: StableHash.value(bytes), added: service.add(jobs, number))
            } catch {
                refuse(name, error.message, in: folder)
            }
        }
    }

    /// Whether a name still stands for the file whose tasks were added.
    ///
    /// A copying program sets a file's times after it has closed it, of which no event tells.
    private mutating func recognize(_ name: String, _ known: Waiting, in folder: WatchedFolder) -> Bool {
        guard let identity = folder.identity(of: name) else { return false }
        if identity == known.identity { return true }
        guard identity.isSameFile(as: known.identity),
            case .read(let bytes, let current, _) = folder.look(at: name), StableHash.value(bytes) == known.content
        else { return false }
        waiting[name]?.identity = current
        return true
    }

    /// Whether the file could be moved afterwards: otherwise it would be added again at each start.
    private mutating func isReady(_ folder: WatchedFolder, for name: String) -> Bool {
        do throws(WatchedFolder.Failure) {
            try folder.prepare(.done)
            return true
        } catch {
            stay(name, WatchUsage.unmovable(error.text))
            return false
        }
    }

    private mutating func stay(_ name: String, _ reason: String) {
        retryLater()
        tellOnce(reason) { _ in WatchLines.stays(SafeText(untrusted: name), SafeText(untrusted: reason)) }
    }

    private mutating func refuse(_ name: String, _ reason: String, in folder: WatchedFolder) {
        waiting[name] = nil
        let reason = Self.readable(reason)
        do throws(WatchedFolder.Failure) {
            try folder.move(name, to: .refused, reason: reason.string)
            service.tell(WatchLines.refused(SafeText(untrusted: name), reason), true)
        } catch {
            stay(name, WatchUsage.unmovable(error.text))
        }
    }

    /// The most characters of a reason, which are a few lines of a terminal.
    private static let reasonLimit = 300

    /// A reason begins with the line and the cause; what it quotes of a file may have any length.
    static func readable(_ reason: String) -> SafeText {
        let isLong = reason.unicodeScalars.count > reasonLimit
        let start = String(String.UnicodeScalarView(reason.unicodeScalars.prefix(reasonLimit)))
        return SafeText(untrusted: isLong ? start + "…" : reason)
    }

    /// Moves files whose tasks are saved.
    private mutating func settle(in folder: WatchedFolder) {
        guard !waiting.isEmpty else { return }
        if let sentence = service.unsaved() {
            retryLater()
            return tellOnce(sentence.string) { _ in sentence }
        }
        for (name, file) in waiting.sorted(by: { $0.key < $1.key }) {
            guard folder.identity(of: name) != nil else {
                waiting[name] = nil
                continue
            }
            guard recognize(name, file, in: folder) else {
                // An event tells when an empty file, or one that is written, has changed.
                if case .leftAlone = folder.look(at: name) { continue }
                retryLater()
                continue
            }
            do throws(WatchedFolder.Failure) {
                try folder.move(name, to: .done)
                waiting[name] = nil
                let shown = SafeText(untrusted: name)
                service.tell(
                    file.added > 0 ? WatchLines.taken(shown, file.added) : WatchLines.repeated(shown), false)
            } catch {
                stay(name, WatchUsage.unmovable(error.text))
            }
        }
        if waiting.isEmpty { toldProblem = nil }
    }
}
