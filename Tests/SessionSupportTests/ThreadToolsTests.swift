import Glibc
import SessionSupport
import Testing

@Suite("Tools of threads", .timeLimit(.minutes(1)))
struct ThreadToolsTests {
    @Test("A queue gives back what it was given, in order, however it is filled and emptied")
    func queue() {
        var queue = FIFO<Int>()
        var (given, taken) = (0, 0)
        #expect(queue.isEmpty && queue.popFirst() == nil)
        for round in 1...40 {
            for _ in 0..<round * 7 {
                queue.append(given)
                given += 1
            }
            for _ in 0..<round * 5 {
                #expect(queue.popFirst() == taken)
                taken += 1
            }
            #expect(queue.count == given - taken && !queue.isEmpty)
        }
        while let next = queue.popFirst() {
            #expect(next == taken)
            taken += 1
        }
        #expect(taken == given && queue.isEmpty)
    }

    @Test("What a lock holds is changed by one thread at a time, and copies share it")
    func lock() throws {
        let total = Locked(0)
        let copy = total
        let threads = try (0..<4).map { number in
            try SystemThread.start(name: "count-\(number)") {
                for _ in 0..<5_000 { copy.withLock { $0 += 1 } }
            }
        }
        for thread in threads { thread.join() }
        #expect(total.withLock { $0 } == 20_000)
    }

    @Test("Who waits for a change is woken by it, and by its time when there is none")
    func monitor() throws {
        let monitor = Monitor(0)
        let thread = try SystemThread.start(name: "counter") {
            for _ in 0..<3 { monitor.change { $0 += 1 } }
        }
        #expect(monitor.wait { $0 == 3 ? $0 : nil } == 3)
        thread.join()
        #expect(monitor.wait(timeoutMilliseconds: 60_000) { $0 == 3 })
        #expect(!monitor.wait(timeoutMilliseconds: 1) { $0 == 4 })
    }

    @Test("A thread has its name, is deaf to signals and is told from others")
    func threads() throws {
        let seen = Locked<(name: String, isDeaf: Bool)?>(nil)
        let thread = try SystemThread.start(name: "a-rather-long-name") {
            let file = open("/proc/thread-self/comm", O_RDONLY)
            var name = [UInt8](repeating: 0, count: 32)
            let length = max(read(file, &name, name.count) - 1, 0)
            close(file)
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let text = String(decoding: name.prefix(length), as: UTF8.self)
            seen.withLock { $0 = (text, sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1) }
        }
        #expect(!thread.isCurrent)
        thread.join()
        let result = try #require(seen.withLock { $0 })
        #expect(result.name == "a-rather-long-n" && result.isDeaf)
    }

    @Test("A stack that no system gives is refused in one error")
    func refusedStack() {
        #expect(throws: SystemThread.Refusal.self) {
            _ = try SystemThread.start(name: "x", stackByteCount: 1) {}
        }
    }

    @Test("A full disk, a used-up quota and a disk that is read-only are refusals of the disk")
    func systemWords() {
        for number in [ENOSPC, EDQUOT, EROFS] { #expect(SystemWords.isDiskRefusal(number)) }
        for number in [EIO, EACCES, 0] { #expect(!SystemWords.isDiskRefusal(number)) }
        #expect(SystemWords.text(ENOENT) == "No such file or directory")
    }
}
