import CLinux
import Foundation
import Glibc

/// A run of the program without a terminal.
///
/// Its output goes into files in memory, so that it can be read while the program runs and never fills a pipe. Standard
/// input is empty unless it is given.
final class ProgramRun {
    /// What a run left behind.
    struct Result {
        /// As a shell sees it, 128 + n for signal n.
        var status: Int
        var output: [UInt8]
        /// Everything on standard error.
        var messages: String

        /// The lines on standard error.
        var lines: [Substring] { messages.split(separator: "\n") }
        /// Standard output as text.
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The program's process.
    let process: pid_t
    private let outputFile: Int32
    private let messagesFile: Int32
    private var status: Int?
    /// What the program keeps for its user; no test touches that of whoever runs it.
    private let userFolder: UserFolder

    /// Starts the program in a folder.
    ///
    /// `output` takes the place of the file for standard output, and `before` stands in front of the program's name.
    init(
        _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:], input: Int32 = -1,
        output: Int32? = nil, before: [String] = []
    ) throws {
        userFolder = try UserFolder()
        outputFile = cl_memfd("output")
        messagesFile = cl_memfd("messages")
        let variables = Self.standardEnvironment.merging(userFolder.environment) { $1 }
            .merging(["HOME": folder.path]) { $1 }.merging(environment) { $1 }
        let words = ["/usr/bin/env", "-C", folder.path] + before + [try Program.path()] + arguments
        process = try Program.start(
            words, environment: variables, input: input, output: output ?? outputFile, error: messagesFile)
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            _ = Program.wait(for: process)
        }
        close(outputFile)
        close(messagesFile)
    }

    /// What a program finds unless a test says otherwise.
    static let standardEnvironment = ["LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TERM": "xterm-256color"]

    /// Runs the program to its end, with text as its standard input when there is some.
    static func finished(
        _ arguments: [String], in folder: ScratchFolder, environment: [String: String] = [:], input: String? = nil,
        before: [String] = []
    ) async throws -> Result {
        guard let input else {
            return try await ProgramRun(arguments, in: folder, environment: environment, before: before).waitForEnd()
        }
        let pipe = try Pipeline()
        let run = try ProgramRun(
            arguments, in: folder, environment: environment, input: pipe.readEnd, before: before)
        pipe.closeReadEnd()
        try pipe.write(Array(input.utf8))
        pipe.closeWriteEnd()
        return try await run.waitForEnd()
    }

    // MARK: While it runs

    /// Standard output until now.
    var output: [UInt8] { Self.contents(of: outputFile) }
    /// Standard error until now.
    var messages: String { String(decoding: Self.contents(of: messagesFile), as: UTF8.self) }

    /// Sends a signal to the program.
    func signal(_ number: Int32) throws {
        guard status == nil, kill(process, number) == 0 else {
            throw WaitingFailed(description: "No process to send signal \(number) to")
        }
    }

    /// Waits until it and another have slept for a fifth of a second: what one has asked the other for was answered.
    ///
    /// A request or an answer on its way makes a thread of one of them run, or wait to run.
    func waitUntilAtRest(with other: ProgramRun) async throws {
        var (last, looks) = ("", 0)
        _ = try await waitUntil("processes \(process) and \(other.process) at rest") {
            // Behind the name in parentheses: the state, and ten fields later the processor time that it has used.
            let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            let sleep = threadsSleep && other.threadsSleep
            let now = fields.count > 12 && sleep ? "\(fields[11]) \(fields[12])" : ""
            looks = now == last && !now.isEmpty ? looks + 1 : 0
            last = now
            usleep(10_000)
            return looks >= 20 ? true : nil
        }
    }

    private var threadsSleep: Bool {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return !threads.isEmpty
            && threads.allSatisfy { thread in
                let text = (try? String(contentsOfFile: folder + "/\(thread)/stat", encoding: .utf8)) ?? ""
                return text.split(separator: ")").last?.hasPrefix(" S") ?? false
            }
    }

    /// Waits until it has a connection to the service, and has asked there what it waits for.
    func waitUntilConnected(to service: ProgramRun) async throws {
        _ = try await waitUntil("process \(process) to be connected") {
            let folder = "/proc/\(process)/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let inodes = names.compactMap { name -> Substring? in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
                guard let target, target.hasPrefix("socket:[") else { return nil }
                return target.dropFirst("socket:[".count).dropLast()
            }
            // A connected socket is in state 03, and its inode follows.
            let rows = SharedService.sockets.lazy.map { $0.split(whereSeparator: \.isWhitespace) }
            return rows.contains { $0.count > 6 && $0[5] == "03" && inodes.contains($0[6]) } ? true : nil
        }
        try await waitUntilAtRest(with: service)
    }

    /// Waits until the lines on standard error are as wanted.
    func waitForMessages(_ what: String, _ isWanted: (String) -> Bool) async throws {
        _ = try await waitUntil(what, otherwise: { messages }) { isWanted(messages) ? true : nil }
    }

    /// Waits for the end and returns what the run left behind.
    func waitForEnd(within limit: Duration = patience) async throws -> Result {
        let status = try await waitUntil("the end of the program", within: limit, otherwise: { messages }) {
            try poll()
        }
        return Result(status: status, output: output, messages: messages)
    }

    // MARK: Parts

    private func poll() throws -> Int? {
        if let status { return status }
        var raw: Int32 = 0
        let result = waitpid(process, &raw, WNOHANG)
        guard result == process else {
            if result < 0, errno != EINTR { throw WaitingFailed(description: "waitpid failed: errno \(errno)") }
            return nil
        }
        status = raw & 0x7F == 0 ? Int(raw >> 8 & 0xFF) : 128 + Int(raw & 0x7F)
        return status
    }

    private static func contents(of file: Int32) -> [UInt8] {
        FileManager.default.contents(atPath: "/proc/self/fd/\(file)").map { Array($0) } ?? []
    }
}

/// A pipe between a test and the program.
final class Pipeline {
    /// Where the bytes come out.
    private(set) var readEnd: Int32
    /// Where the bytes go in.
    private(set) var writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Programs are started with none of this process's descriptors, so nobody else keeps an end open.
        guard pipe(&ends) == 0 else { throw WaitingFailed(description: "No pipe: errno \(errno)") }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        closeReadEnd()
        closeWriteEnd()
    }

    /// Writes bytes that fit into the pipe, or that somebody reads.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(writeEnd, $0.baseAddress, $0.count) }
            guard count > 0 else { throw WaitingFailed(description: "Writing to a pipe failed: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether a page fits into the pipe, or will within a time.
    func canTake(withinMilliseconds patience: Int32) throws -> Bool {
        var descriptor = pollfd(fd: writeEnd, events: Int16(POLLOUT), revents: 0)
        let count = poll(&descriptor, 1, patience)
        guard count >= 0, descriptor.revents & Int16(POLLERR) == 0 else {
            throw WaitingFailed(description: "Nobody reads the pipe: errno \(errno)")
        }
        return count > 0
    }

    func closeReadEnd() {
        if readEnd >= 0 { close(readEnd) }
        readEnd = -1
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }
}
