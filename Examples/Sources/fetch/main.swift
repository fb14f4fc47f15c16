// A tool for the command line: prints what a URL has, says on standard error what went wrong, and ends with 0, 1 or 2.
// Ctrl-C ends it at once, with the transfer cancelled.
//
//     fetch https://example.org/ > page.html

import Dispatch
import Foundation
import SessionCore

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 1 else {
    FileHandle.standardError.write(Data("Usage: fetch URL\n".utf8))
    exit(2)
}

// Before anything is asked for, so that Ctrl-C never comes too early; a stream keeps what came until somebody looks.
let (interrupts, interrupt) = AsyncStream.makeStream(of: Void.self)
signal(SIGINT, SIG_IGN)
let signals = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
signals.setEventHandler { @Sendable in interrupt.yield() }
signals.resume()

let work = Task {
    var request = TransferRequest(url: arguments[0])
    request.options = RequestOptions()
    request.options?.timeLimit = 60
    let (body, head) = try await SessionManager().bytes(for: request)
    guard (200...299).contains(head.statusCode) else {
        throw SessionError(.http, "The server answered with status \(head.statusCode)")
    }
    // Only a mebibyte or so lies in memory, however long the body is.
    for try await chunk in body.chunks { try FileHandle.standardOutput.write(contentsOf: chunk) }
}

Task { for await _ in interrupts { work.cancel() } }

do {
    try await work.value
} catch {
    FileHandle.standardError.write(Data("fetch: \(error)\n".utf8))
    exit(1)
}
