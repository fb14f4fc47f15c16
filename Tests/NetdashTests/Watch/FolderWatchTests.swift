import CLinux
import Dashboard
import Foundation
import Glibc
import SessionSupport
import Testing
import TransferService
import TransferValues

@testable import netdash

/// A watched folder, with files that are good, bad, half-written and many.
@Suite("A watched folder", .timeLimit(.minutes(1)))
struct FolderWatchTests {
    /// A folder, a watch and what it has added and told.
    private final class Drop: Sendable {
        struct State {
            var jobs: [[Job]] = []
            var told: [String] = []
            var problems: [String] = []
            /// The number of each addition's first job.
            var numbers: [UInt64] = []
            var unsaved: SafeText?
            var isBlocked = false
        }

        let root: String
        let state = Monitor(State())
        private let watch = Locked<FolderWatch?>(nil)

        init(makesFolder: Bool = true) throws {
            root = NSTemporaryDirectory() + "watch-\(UUID().uuidString.prefix(8))"
            for folder in ["", "/downloads", "/locks"] + (makesFolder ? ["/drop"] : []) {
                try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        var path: String { root + "/drop" }

        func begin(at path: String? = nil) throws {
            let state = state
            let service = FolderWatch.Service(
                add: { jobs, number in
                    state.wait { $0.isBlocked ? nil : () }
                    return state.change { state in
                        state.jobs.append(jobs)
                        state.numbers.append(number)
                        return jobs.count
                    }
                },
                unsaved: { state.withLock(\.unsaved) },
                tell: { sentence, isProblem in
                    let told = isProblem ? \State.problems : \State.told
                    state.change { $0[keyPath: told].append(sentence.string) }
                })
            let terms = DroppedFile.Terms(folder: root + "/downloads")
            let new = try FolderWatch(path ?? self.path, terms: terms, lockFolder: root + "/locks", service: service)
            watch.withLock { $0 = new }
        }

        func end() { watch.withLock { $0 }?.stop() }

        /// Writes a file elsewhere and moves it into the folder, whole.
        func drop(_ name: String, _ text: String = "https://h/a\n") throws {
            let other = root + "/" + UUID().uuidString
            try Data(text.utf8).write(to: URL(fileURLWithPath: other))
            guard rename(other, path + "/" + name) == 0 else { throw POSIXError(.EIO) }
        }

        func names(_ folder: String = "") -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: path + folder)) ?? []).sorted()
        }

        func reason(_ name: String) -> String? {
            try? String(contentsOfFile: "\(path)/refused/\(name).reason", encoding: .utf8)
        }

        /// Waits until so many sentences were told, problems or not.
        func waitForTold(_ count: Int) { state.wait { $0.told.count >= count ? () : nil } }
        func waitForProblems(_ count: Int) { state.wait { $0.problems.count >= count ? () : nil } }
        var urls: [String] { state.withLock(\.jobs).flatMap { $0 }.map(\.url) }
    }

    @Test("What lies there, is moved in, written, linked and copied is taken once and moved to done")
    func taken() throws {
        let drop = try Drop()
        try drop.drop("first.txt", "https://h/1\nhttps://h/2\n")
        try drop.begin()
        drop.waitForTold(2)
        #expect(drop.state.withLock(\.told).last == WatchLines.taken("first.txt", 2).string)
        try drop.drop("second.url", "[InternetShortcut]\nURL=https://h/3\n")
        drop.waitForTold(3)
        try "https://h/4\n".write(toFile: drop.path + "/third.txt", atomically: false, encoding: .utf8)
        drop.waitForTold(4)
        try "curl -O https://h/5\n".write(toFile: drop.root + "/x", atomically: false, encoding: .utf8)
        #expect(link(drop.root + "/x", drop.path + "/fourth.curl") == 0)
        drop.waitForTold(5)
        drop.end()
        #expect(drop.urls == (1...5).map { "https://h/\($0)" })
        #expect(drop.names() == ["done"] && drop.state.withLock(\.problems).isEmpty)
        #expect(drop.names("/done") == ["first.txt", "fourth.curl", "second.url", "third.txt"])
    }

    @Test("A file with one bad line adds nothing; it goes to refused with the reason beside it")
    func refused() throws {
        let drop = try Drop()
        try drop.begin()
        try drop.drop("bad.txt", "https://h/1\nhttps://h/2\n  nothing=1\n")
        drop.waitForProblems(1)
        drop.end()
        #expect(drop.urls.isEmpty && drop.names() == ["refused"])
        #expect(drop.names("/refused") == ["bad.txt", "bad.txt.reason"])
        #expect(drop.reason("bad.txt")?.hasPrefix("bad.txt:3: ") == true)
    }

    @Test("A reason begins with the line and the cause and is a few lines at most, whatever the file has in that line")
    func shortReasons() throws {
        let drop = try Drop()
        try drop.begin()
        try drop.drop("key.txt", "https://h/1\n  nothing=1\n")
        try drop.drop("long.txt", "https://h/2\n  \(String(repeating: "x", count: 100_000))\n")
        drop.waitForProblems(2)
        drop.end()
        let unknown = ListUsage.unknownKey("nothing", hint: ListUsage.seeKeys)
        #expect(drop.reason("key.txt") == "key.txt:2: \(unknown)\n")
        let long = try #require(drop.reason("long.txt"))
        #expect(long.hasPrefix("long.txt:2: \"xxx") && long.hasSuffix("…\n") && long.count < 310, "\(long.count)")
        #expect(drop.state.withLock(\.problems).allSatisfy { $0.count < 400 })
    }

    @Test("Hidden, empty, other and half-written files are left alone; closing the last takes it")
    func leftAlone() throws {
        let drop = try Drop()
        let half = open(drop.path + "/half.txt", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(Descriptor.writeAll(Array("https://h/ha".utf8), to: half))
        for name in [".hidden.txt", "list.csv", "list.txt.part"] { try drop.drop(name) }
        try drop.drop("empty.txt", "")
        try drop.begin()
        try drop.drop("z.txt", "https://h/z\n")
        drop.waitForTold(2)
        #expect(drop.urls == ["https://h/z"])
        #expect(rename(drop.path + "/half.txt", drop.path + "/moved.txt") == 0)
        #expect(Descriptor.writeAll(Array("lf\n".utf8), to: half))
        close(half)
        drop.waitForTold(3)
        drop.end()
        #expect(drop.urls == ["https://h/z", "https://h/half"])
        #expect(drop.names() == [".hidden.txt", "done", "empty.txt", "list.csv", "list.txt.part"])
    }

    @Test("Links, folders, pipes and long files are refused as what they are, and no link is followed")
    func odd() throws {
        let drop = try Drop()
        try "https://h/1\n".write(toFile: drop.root + "/real", atomically: false, encoding: .utf8)
        try drop.begin()
        drop.waitForTold(1)
        symlink(drop.root + "/real", drop.path + "/link.txt")
        mkdir(drop.path + "/folder.url", 0o700)
        mkfifo(drop.path + "/pipe.curl", 0o600)
        let long = open(drop.root + "/long", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        ftruncate(long, off_t(WatchedFolder.byteLimit) + 1)
        close(long)
        rename(drop.root + "/long", drop.path + "/long.http")
        drop.waitForProblems(4)
        drop.end()
        #expect(drop.urls.isEmpty && drop.names() == ["refused"])
        let reasons = ["link.txt", "folder.url", "pipe.curl", "long.http"].map { drop.reason($0) }
        let expected = [WatchUsage.link, WatchUsage.folder, WatchUsage.notFile, WatchUsage.tooLarge(16)]
        #expect(reasons == expected.map { $0 + "\n" })
        #expect(FileManager.default.fileExists(atPath: drop.root + "/real"))
    }

    @Test("A file that cannot be read is refused", .enabled(if: geteuid() != 0))
    func unreadable() throws {
        let drop = try Drop()
        try drop.drop("secret.txt")
        chmod(drop.path + "/secret.txt", 0)
        try drop.begin()
        drop.waitForProblems(1)
        drop.end()
        #expect(drop.reason("secret.txt") == WatchUsage.unreadable(SystemWords.text(EACCES)) + "\n")
    }

    @Test("A refused file with a long name has its reason beside it, and a taken long name gets a number")
    func longNames() throws {
        let drop = try Drop()
        try drop.begin()
        let front = String(repeating: "n", count: 250)
        for number in 1...2 {
            try drop.drop(front + ".curl", "wget \(number)\n")
            drop.waitForProblems(number)
            try drop.drop(front + ".txt", "https://h/\(number)\n")
            drop.waitForTold(1 + number)
        }
        drop.end()
        let cut = [String(front.prefix(239)) + " (2).curl", String(front.prefix(243)) + ".curl"]
        #expect(drop.names("/refused") == cut.flatMap { [$0, $0 + ".reason"] })
        #expect(drop.names("/done") == [String(front.prefix(247)) + " (2).txt", front + ".txt"])
    }

    @Test("Names that are taken get a number, beside which the reason stands")
    func clashes() throws {
        let drop = try Drop()
        try drop.begin()
        for number in 1...3 {
            try drop.drop("list.txt", "https://h/\(number)\n")
            drop.waitForTold(1 + number)
            try drop.drop("bad.curl", "wget \(number)\n")
            drop.waitForProblems(number)
        }
        drop.end()
        #expect(drop.names("/done") == ["list (2).txt", "list (3).txt", "list.txt"])
        let names = ["bad (2).curl", "bad (3).curl", "bad.curl"]
        #expect(drop.names("/refused") == names.flatMap { [$0, $0 + ".reason"] })
    }

    @Test("A thousand files at once are all taken, and the wrong ones among them refused")
    func thousand() throws {
        let drop = try Drop()
        try drop.begin()
        drop.waitForTold(1)
        for number in 1...1_000 {
            try drop.drop("\(number).txt", number % 10 == 0 ? "mailto:x\n" : "https://h/\(number)\n")
        }
        drop.waitForTold(901)
        drop.waitForProblems(100)
        drop.end()
        #expect(Set(drop.urls) == Set((1...1_000).filter { $0 % 10 != 0 }.map { "https://h/\($0)" }))
        #expect(drop.urls.count == 900 && drop.names() == ["done", "refused"])
        #expect(drop.names("/done").count == 900 && drop.names("/refused").count == 200)
    }

    @Test("When the kernel has lost events the folder is read")
    func overflow() throws {
        let drop = try Drop()
        try drop.begin()
        drop.waitForTold(1)
        drop.state.change { $0.isBlocked = true }
        try drop.drop("first.txt", "https://h/1\n")
        let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let limit = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(limit <= 1 << 17)
        // Each makes two events that differ from the ones before.
        for number in 0...limit / 2 { close(open("\(drop.path)/\(number).x", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
        try drop.drop("last.txt", "https://h/2\n")
        drop.state.change { $0.isBlocked = false }
        drop.waitForTold(3)
        drop.end()
        #expect(drop.urls == ["https://h/1", "https://h/2"])
    }

    @Test("A folder that is missing, vanishes, is replaced and comes back is told and watched again")
    func vanishing() throws {
        let drop = try Drop(makesFolder: false)
        try drop.begin()
        drop.waitForProblems(1)
        let shown = SafeText(untrusted: drop.path)
        let missing = WatchLines.stopped(shown, SafeText(untrusted: SystemWords.text(ENOENT))).string
        #expect(drop.state.withLock(\.problems) == [missing])
        mkdir(drop.path, 0o700)
        try drop.drop("a.txt", "https://h/1\n")
        drop.waitForTold(2)
        try FileManager.default.removeItem(atPath: drop.path)
        drop.waitForProblems(2)
        #expect(drop.state.withLock(\.problems) == [missing, missing])
        mkdir(drop.path, 0o700)
        try drop.drop("b.txt", "https://h/2\n")
        drop.waitForTold(4)
        // Replaced at once: no moment without a folder of that name is seen.
        mkdir(drop.root + "/other", 0o700)
        rename(drop.path, drop.root + "/old")
        rename(drop.root + "/other", drop.path)
        try drop.drop("c.txt", "https://h/3\n")
        drop.state.wait { state in state.jobs.count == 3 ? () : nil }
        drop.end()
        #expect(drop.urls == ["https://h/1", "https://h/2", "https://h/3"])
    }

    @Test("A file in the folder's place is no folder, and the download folder is not watched")
    func wrongFolders() throws {
        let drop = try Drop(makesFolder: false)
        try "x".write(toFile: drop.path, atomically: false, encoding: .utf8)
        try drop.begin()
        drop.waitForProblems(1)
        drop.end()
        try drop.begin(at: drop.root + "/downloads")
        drop.waitForProblems(2)
        drop.end()
        let downloads = SafeText(untrusted: drop.root + "/downloads")
        #expect(
            drop.state.withLock(\.problems) == [
                WatchLines.stopped(
                    SafeText(untrusted: drop.path), SafeText(untrusted: SystemWords.text(ENOTDIR))
                ).string, WatchLines.stopped(downloads, SafeText(untrusted: WatchUsage.isDownloadFolder)).string,
            ])
    }

    @Test("A second watch of one folder is told, and takes over when the first has ended")
    func twoWatches() throws {
        let drop = try Drop()
        try drop.begin()
        drop.waitForTold(1)
        let other = try Drop()
        // The same folder and the same locks.
        try FileManager.default.removeItem(atPath: other.root + "/locks")
        symlink(drop.root + "/locks", other.root + "/locks")
        try other.begin(at: drop.path)
        other.waitForProblems(1)
        try drop.drop("a.txt")
        drop.waitForTold(2)
        drop.end()
        other.waitForTold(1)
        try drop.drop("b.txt")
        other.waitForTold(2)
        other.end()
        #expect(drop.urls.count == 1 && other.urls.count == 1)
    }

    @Test("A file stays until its tasks are saved, and is not added twice meanwhile")
    func unsaved() throws {
        let drop = try Drop()
        let sentence: SafeText = "Changes are not saved: disk full"
        drop.state.change { $0.unsaved = sentence }
        try drop.begin()
        try drop.drop("a.txt", "https://h/1\n")
        drop.waitForProblems(1)
        try drop.drop("b.txt", "https://h/2\n")
        drop.state.wait { $0.jobs.count == 2 ? () : nil }
        #expect(drop.names().contains("a.txt") && drop.names("/done").isEmpty)
        drop.state.change { $0.unsaved = nil }
        drop.waitForTold(3)
        drop.end()
        #expect(drop.urls == ["https://h/1", "https://h/2"] && drop.names("/done") == ["a.txt", "b.txt"])
        #expect(drop.state.withLock(\.problems) == [sentence.string])
    }

    @Test("A file whose times are set after its tasks were added is the same file: it is moved, and added once")
    func timesSetLater() throws {
        let drop = try Drop()
        func setTimes(of name: String, to seconds: Int) {
            let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
            #expect(utimensat(AT_FDCWD, drop.path + "/" + name, times, 0) == 0)
        }
        drop.state.change { $0.unsaved = "Disk is full" }
        try drop.begin()
        try drop.drop("a.txt", "https://h/1\n")
        try drop.drop("b.txt", "https://h/2\n")
        drop.state.wait { $0.jobs.count == 2 ? () : nil }
        setTimes(of: "a.txt", to: 1_000_000_000)
        // Other bytes of the same length are another list.
        let other = open(drop.path + "/b.txt", O_WRONLY | O_CLOEXEC)
        #expect(Descriptor.writeAll(Array("https://h/3\n".utf8), to: other))
        setTimes(of: "b.txt", to: 1_100_000_000)
        close(other)
        drop.state.wait { $0.jobs.count == 3 ? () : nil }
        setTimes(of: "b.txt", to: 1_000_000_000)
        drop.state.change { $0.unsaved = nil }
        drop.waitForTold(3)
        drop.end()
        #expect(drop.urls == ["https://h/1", "https://h/2", "https://h/3"])
        #expect(drop.names() == ["done"] && drop.names("/done") == ["a.txt", "b.txt"])
    }

    @Test("Where done is no folder nothing is added, because it would be added again at each start")
    func blockedDone() throws {
        let drop = try Drop()
        try "x".write(toFile: drop.path + "/done", atomically: false, encoding: .utf8)
        try drop.begin()
        try drop.drop("a.txt", "https://h/1\n")
        drop.waitForProblems(1)
        #expect(drop.urls.isEmpty && drop.names() == ["a.txt", "done"])
        unlink(drop.path + "/done")
        drop.waitForTold(2)
        drop.end()
        #expect(drop.urls == ["https://h/1"])
    }

    @Test("A file that is read again after a kill has the same number; one that was moved away and back has another")
    func numbers() throws {
        let drop = try Drop()
        drop.state.change { $0.unsaved = "Disk is full" }
        try drop.drop("a.txt")
        for count in 1...2 {
            try drop.begin()
            drop.state.wait { $0.numbers.count >= count ? () : nil }
            drop.end()
        }
        drop.state.change { $0.unsaved = nil }
        #expect(rename(drop.path + "/a.txt", drop.root + "/a.txt") == 0)
        #expect(rename(drop.root + "/a.txt", drop.path + "/a.txt") == 0)
        try drop.begin()
        // Three begins, and the file.
        drop.waitForTold(4)
        drop.end()
        let numbers = drop.state.withLock(\.numbers)
        #expect(numbers.count == 3 && numbers[0] == numbers[1] && numbers[1] != numbers[2], "\(numbers)")
    }
}
