import Foundation
import FoundationNetworking
import SessionCore

/// The examples of the articles about moving over, closures and pausing; see ``DocumentationExampleKinds``.
enum DocumentationExampleControl {
    static func comingFromAFNetworking(_ address: URL, _ folder: URL) throws -> (SessionManager, SessionTask) {
        // example: coming-from-afnetworking
        let manager = SessionManager(configuration: .default)
        manager.completionQueue = DispatchQueue(label: "example.completion")

        manager.onRedirect = { task, response, request in
            // setTaskWillPerformHTTPRedirectionBlock: nil would make the redirect the answer.
            request
        }
        manager.onComplete = { task, error in
            // setTaskDidCompleteBlock: before the completion handler, with the same error.
            print("\(task.kind) \(error == nil ? "ended" : "failed")")
        }

        let task = try manager.downloadTask(
            with: URLRequest(url: address),
            progress: { progress in print(progress.fractionCompleted) },
            destination: { temporaryFile, response in
                folder.appendingPathComponent(response?.suggestedFilename ?? "download")
            },
            completionHandler: { response, file, error in
                print(file?.path ?? "No file: \(error, default: "no reason")")
            })
        task.resume()
        // end
        return (manager, task)
    }

    static func pausing(_ manager: SessionManager, _ task: SessionTask) {
        // example: pausing
        let progress = manager.downloadProgress(for: task)
        progress?.pause()  // task.state is .suspended when this returns
        progress?.resume()  // and .running again
        // end
    }

    static func parent(_ manager: SessionManager, _ tasks: [SessionTask]) -> Progress {
        // example: parent
        let whole = Progress(totalUnitCount: Int64(tasks.count))
        for task in tasks {
            guard let progress = manager.downloadProgress(for: task) else { continue }
            whole.addChild(progress, withPendingUnitCount: 1)
        }
        whole.pause()  // pauses every task
        whole.resume()
        // end
        return whole
    }

    static func events(_ task: SessionTask) async -> TaskCompletion? {
        // example: events
        let events = task.events
        task.resume()
        for await event in events {
            if case .status(let status) = event { print("\(status.phase): \(status.received) bytes") }
            if case .completed(let completion) = event { return completion }
        }
        // end
        return nil
    }

    static func persistent(_ folder: URL) -> SessionManager {
        // example: persistent
        var configuration = SessionConfiguration.persistent(identifier: "downloads")
        configuration.storeFolder = folder.appendingPathComponent("store").path

        var handlers = SessionHandlers()
        handlers.onComplete = { task, error in print("\(task.id) \(error == nil ? "ended" : "failed")") }
        handlers.onDidFinishEvents = { _ in print("Nothing is left of the earlier run") }
        let manager = SessionManager(configuration: configuration, handlers: handlers)
        // end
        return manager
    }

    static func challenge(_ manager: SessionManager) {
        // example: challenge
        manager.onTaskChallenge = { task, challenge in
            guard case .credentials = challenge.kind else { return .performDefault }
            guard challenge.previousFailureCount == 0 else { return .cancel }
            return .use(URLCredential(user: "name", password: "password", persistence: .forSession))
        }
        // end
    }
}
