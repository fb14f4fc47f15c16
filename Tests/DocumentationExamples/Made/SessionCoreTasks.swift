// swift-format-ignore-file
// Made of Sources/SessionCore/Tasks; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfSessionTask() async throws {
        let task = try manager.dataTask(with: request) { _, object, error in print(object ?? "\(error, default: "nothing")") }
        task.resume()
        let completion = await task.completion()
        print(completion.status.received)
        _ = task
        _ = completion
    }
    mutating func exampleOfSessionTaskState() async throws {
        if task.state == .suspended { task.resume() }
    }
    mutating func exampleOfTaskCompletion() async throws {
        let completion = await task.completion()
        print(completion.error ?? "ended well", completion.fileURL ?? file)
        _ = completion
    }
    mutating func exampleOfTaskHandler() async throws {
        final class Printer: TaskHandler {
            func task(_ task: SessionTask, didReceive event: SessionTaskEvent) { print(event) }
        }
        task.handler = Printer()
    }
    mutating func exampleOfRedirectDecision() async throws {
        final class NoRedirects: TaskHandler {
            func task(_ task: SessionTask, willFollow request: TransferRequest, from head: ResponseHead) -> RedirectDecision {
                .refuse
            }
        }
        task.handler = NoRedirects()
    }
    mutating func exampleOfSessionTaskEvent() async throws {
        for await event in task.events {
            if case .retrying(let attempt, _, let reason) = event { print("attempt \(attempt) failed: \(reason)") }
        }
    }
}
