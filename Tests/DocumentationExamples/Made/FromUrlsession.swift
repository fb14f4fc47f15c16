// swift-format-ignore-file
// Made of docs/FROM_URLSESSION.md; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func row1FromUrlsession() async throws {
        let manager = SessionManager(configuration: .default)
        _ = manager
    }
    mutating func row2FromUrlsession() async throws {
        use(SessionConfiguration.persistent(identifier: "a"))
    }
    mutating func row3FromUrlsession() async throws {
        configuration.maximumConcurrentTransfersPerHost = 4
    }
    mutating func row4FromUrlsession() async throws {
        configuration.stallTimeout = 60
    }
    mutating func row5FromUrlsession() async throws {
        configuration.additionalHeaders = ["A": "b"]
    }
    mutating func row6FromUrlsession() async throws {
        manager.responseCache = URLResponseCache(.shared)
    }
    mutating func row7FromUrlsession() async throws {
        options.cookies = CookieJar()
    }
    mutating func row8FromUrlsession() async throws {
        options.proxies = ProxySettings(try Proxy("http://localhost:3128"))
    }
    mutating func row9FromUrlsession() async throws {
        use(manager.operationQueue)
    }
    mutating func row10FromUrlsession() async throws {
        use(manager.invalidate(cancellingTasks: true))
    }
    mutating func row11FromUrlsession() async throws {
        use(manager.invalidate(cancellingTasks: false))
    }
    mutating func row12FromUrlsession() async throws {
        use(manager.tasks)
    }
    mutating func row13FromUrlsession() async throws {
        use(try await manager.data(for: urlRequest))
    }
    mutating func row14FromUrlsession() async throws {
        use(try await manager.data(for: URLRequest(url: url)))
    }
    mutating func row15FromUrlsession() async throws {
        use(try await manager.decode([String].self, for: request))
    }
    mutating func row16FromUrlsession() async throws {
        use(try await manager.data(for: request, as: .string))
    }
    mutating func row17FromUrlsession() async throws {
        use(try await manager.bytes(for: request))
    }
    mutating func row18FromUrlsession() async throws {
        use(try await manager.upload(for: request, from: Data()))
    }
    mutating func row19FromUrlsession() async throws {
        use(try await manager.upload(for: request, fromFile: file))
    }
    mutating func row20FromUrlsession() async throws {
        use(try await manager.download(for: request, destination: { file, head in file }))
    }
    mutating func row21FromUrlsession() async throws {
        let task = try manager.dataTask(with: request) { head, object, error in }
        _ = task
    }
    mutating func row22FromUrlsession() async throws {
        use(try manager.uploadTask(with: request, fromFile: file, completionHandler: nil))
    }
    mutating func row23FromUrlsession() async throws {
        use(try manager.downloadTask(with: request) { head, file, error in })
    }
    mutating func row24FromUrlsession() async throws {
        use(try manager.downloadTask(withResumeData: resumeData, completionHandler: nil))
    }
    mutating func row25FromUrlsession() async throws {
        use(task.resume())
    }
    mutating func row26FromUrlsession() async throws {
        use(task.suspend())
    }
    mutating func row27FromUrlsession() async throws {
        use(task.cancel())
    }
    mutating func row28FromUrlsession() async throws {
        use(task.cancel(byProducingResumeData: { resumeData in }))
    }
    mutating func row29FromUrlsession() async throws {
        task.priority = 0.75
    }
    mutating func row30FromUrlsession() async throws {
        task.taskDescription = "first"
    }
    mutating func row31FromUrlsession() async throws {
        use(manager.downloadProgress(for: task))
    }
    mutating func row32FromUrlsession() async throws {
        use(task.countOfBytesReceived)
    }
    mutating func row33FromUrlsession() async throws {
        use(task.response)
    }
    mutating func row34FromUrlsession() async throws {
        use(task.error)
    }
    mutating func row35FromUrlsession() async throws {
        manager.onComplete = { task, error in }
    }
    mutating func row36FromUrlsession() async throws {
        manager.onRedirect = { task, head, request in request }
    }
    mutating func row37FromUrlsession() async throws {
        manager.onTaskChallenge = { task, challenge in .performDefault }
    }
    mutating func row38FromUrlsession() async throws {
        manager.onSessionChallenge = { challenge in .performDefault }
    }
    mutating func row39FromUrlsession() async throws {
        manager.onSendBody = { task, counts in }
    }
    mutating func row40FromUrlsession() async throws {
        manager.onNeedNewBody = { task in .data(Data()) }
    }
    mutating func row41FromUrlsession() async throws {
        manager.onMetrics = { task, metrics in }
    }
    mutating func row42FromUrlsession() async throws {
        manager.onResponse = { task, head in .allow }
    }
    mutating func row43FromUrlsession() async throws {
        manager.onData = { task, data in }
    }
    mutating func row44FromUrlsession() async throws {
        manager.onWillCacheResponse = { task, response in response }
    }
    mutating func row45FromUrlsession() async throws {
        manager.onDownloadFinished = { task, file in file }
    }
    mutating func row46FromUrlsession() async throws {
        manager.onWriteData = { task, counts in }
    }
    mutating func row47FromUrlsession() async throws {
        manager.onResumeAtOffset = { task, place in }
    }
    mutating func row48FromUrlsession() async throws {
        manager.onInvalidate = { session, error in }
    }
    mutating func row49FromUrlsession() async throws {
        manager.onDidFinishEvents = { session in }
    }
}
