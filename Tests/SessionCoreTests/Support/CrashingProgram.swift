import CLinux
import Foundation
import Glibc
import Testing

/// The program beside the tests that ends by being killed.
enum CrashingProgram {
    /// What a run left behind.
    struct Run {
        var output: String
        /// As `waitpid` reports it.
        var status: Int32

        var wasKilled: Bool { status & 0x7F == SIGKILL }
    }

    /// Runs the program until it has ended, and kills it as soon as it has said so many lines.
    static func run(_ arguments: [String], killingAfter lines: Int = .max) throws -> Run {
        try run(arguments) { text in text.count { $0 == 0x0A } >= lines }
    }

    /// Runs the program until it has ended, and kills it as soon as it has said a number that is not below this one.
    ///
    /// For a program that says how far it is: how many lines that takes depends on how busy the machine is.
    static func run(_ arguments: [String], killingFromNumber least: Int64) throws -> Run {
        try run(arguments) { text in
            let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            return lines.contains { (Int64(String(decoding: $0, as: UTF8.self)) ?? -1) >= least }
        }
    }

    private static func run(_ arguments: [String], killingWhen isDue: ([UInt8]) -> Bool) throws -> Run {
        var ends: [Int32] = [-1, -1]
        let result = pipe(&ends)
        try #require(result == 0)
        for end in ends { #expect(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        defer { close(ends[0]) }
        let program = try path()
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        // Nothing of the surroundings but how ThreadSanitizer runs, where it does.
        let sanitizer = ProcessInfo.processInfo.environment["TSAN_OPTIONS"].map { "TSAN_OPTIONS=" + $0 }
        var environment = [sanitizer.flatMap { strdup($0) }, nil]
        defer { for word in words + environment { free(word) } }
        let process = cl_spawn(nil, program, &words, &environment, -1, ends[1], -1)
        close(ends[1])
        try #require(process > 0)
        let text = readAll(ends[0]) { text in
            if isDue(text) { kill(process, SIGKILL) }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return Run(output: String(decoding: text, as: UTF8.self), status: status)
    }

    private static func readAll(_ descriptor: Int32, _ look: ([UInt8]) -> Void) -> [UInt8] {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return text }
            text += buffer.prefix(count)
            look(text)
        }
    }

    private static func path() throws -> String { try location(of: "StoreCrasher").path }

    /// Where a program is that was built with the tests.
    static func location(of name: String) throws -> URL {
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let locations = [runner] + CommandLine.arguments.filter { $0.contains(".xctest") }
        let candidates = locations.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name)
        }
        return try #require(candidates.first { access($0.path, X_OK) == 0 }, "\(name) was not found")
    }
}
