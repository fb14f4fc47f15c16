// swift-format-ignore-file
// Made of docs/FROM_AFURLSESSIONMANAGER.md; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func row1FromAfurlsessionmanager() async throws {
        let manager = SessionManager(configuration: .default)
        _ = manager
    }
    mutating func row2FromAfurlsessionmanager() async throws {
        use(SessionConfiguration.persistent(identifier: "a"))
    }
    mutating func row3FromAfurlsessionmanager() async throws {
        use(configuration.attemptsToRecreateUploadTasks)
    }
    mutating func row4FromAfurlsessionmanager() async throws {
        use(manager.session)
    }
    mutating func row5FromAfurlsessionmanager() async throws {
        use(manager.operationQueue)
    }
    mutating func row6FromAfurlsessionmanager() async throws {
        manager.responseSerializer = JSONResponseSerializer()
    }
    mutating func row7FromAfurlsessionmanager() async throws {
        manager.securityPolicy = .default
    }
    mutating func row8FromAfurlsessionmanager() async throws {
        manager.reachabilityManager = .shared
    }
    mutating func row9FromAfurlsessionmanager() async throws {
        manager.completionQueue = .global()
    }
    mutating func row10FromAfurlsessionmanager() async throws {
        manager.completionGroup = DispatchGroup()
    }
    mutating func row11FromAfurlsessionmanager() async throws {
        use(manager.invalidate(cancellingTasks: true, resettingSession: true))
    }
    mutating func row12FromAfurlsessionmanager() async throws {
        use(manager.copy())
    }
    mutating func row13FromAfurlsessionmanager() async throws {
        use(try JSONEncoder().encode(configuration))
    }
    mutating func row14FromAfurlsessionmanager() async throws {
        use(manager.requestHeaders.snapshot)
    }
    mutating func row15FromAfurlsessionmanager() async throws {
        use(manager.requestHeaders.setValue("1", forHTTPHeaderField: "X-Own"))
    }
    mutating func row16FromAfurlsessionmanager() async throws {
        use(SessionTask.self)
    }
    mutating func row17FromAfurlsessionmanager() async throws {
        use(try manager.dataTask(with: request) { head, object, error in })
    }
    mutating func row18FromAfurlsessionmanager() async throws {
        use(try manager.uploadTask(with: request, fromFile: file) { head, object, error in })
    }
    mutating func row19FromAfurlsessionmanager() async throws {
        use(try manager.uploadTask(with: request, from: Data()) { head, object, error in })
    }
    mutating func row20FromAfurlsessionmanager() async throws {
        use(try manager.uploadTask(withStreamedRequest: urlRequest) { head, object, error in })
    }
    mutating func row21FromAfurlsessionmanager() async throws {
        use(try manager.downloadTask(with: request, destination: { file, head in file }) { head, file, error in })
    }
    mutating func row22FromAfurlsessionmanager() async throws {
        use(try manager.downloadTask(withResumeData: resumeData) { head, file, error in })
    }
    mutating func row23FromAfurlsessionmanager() async throws {
        use(task.cancel(byProducingResumeData: { resumeData in }))
    }
    mutating func row24FromAfurlsessionmanager() async throws {
        use(manager.tasks)
    }
    mutating func row25FromAfurlsessionmanager() async throws {
        use(manager.downloadProgress(for: task))
    }
    mutating func row26FromAfurlsessionmanager() async throws {
        task.handler = nil
    }
    mutating func row27FromAfurlsessionmanager() async throws {
        use([task.originalRequest, task.currentRequest])
    }
    mutating func row28FromAfurlsessionmanager() async throws {
        use([head.suggestedFilename, head.mimeType])
    }
    mutating func row29FromAfurlsessionmanager() async throws {
        use(task.response)
    }
    mutating func row30FromAfurlsessionmanager() async throws {
        use(task.taskIdentifier)
    }
    mutating func row31FromAfurlsessionmanager() async throws {
        task.taskDescription = "mine"
    }
    mutating func row32FromAfurlsessionmanager() async throws {
        manager.onInvalidate = { session, error in }
    }
    mutating func row33FromAfurlsessionmanager() async throws {
        manager.onSessionChallenge = { challenge in .performDefault }
    }
    mutating func row34FromAfurlsessionmanager() async throws {
        manager.onTaskChallenge = { task, challenge in .performDefault }
    }
    mutating func row35FromAfurlsessionmanager() async throws {
        manager.onRedirect = { task, head, request in request }
    }
    mutating func row36FromAfurlsessionmanager() async throws {
        manager.onNeedNewBody = { task in .data(Data()) }
    }
    mutating func row37FromAfurlsessionmanager() async throws {
        manager.onSendBody = { task, counts in print(counts.sinceLast, counts.total) }
    }
    mutating func row38FromAfurlsessionmanager() async throws {
        manager.onComplete = { task, error in }
    }
    mutating func row39FromAfurlsessionmanager() async throws {
        manager.onMetrics = { task, metrics in }
    }
    mutating func row40FromAfurlsessionmanager() async throws {
        manager.onResponse = { task, head in .allow }
    }
    mutating func row41FromAfurlsessionmanager() async throws {
        manager.onBecomeDownload = { task in }
    }
    mutating func row42FromAfurlsessionmanager() async throws {
        manager.onData = { task, data in }
    }
    mutating func row43FromAfurlsessionmanager() async throws {
        manager.onWillCacheResponse = { task, response in response }
    }
    mutating func row44FromAfurlsessionmanager() async throws {
        manager.onDidFinishEvents = { session in }
    }
    mutating func row45FromAfurlsessionmanager() async throws {
        manager.onDownloadFinished = { task, file in file }
    }
    mutating func row46FromAfurlsessionmanager() async throws {
        manager.onWriteData = { task, counts in print(counts.total) }
    }
    mutating func row47FromAfurlsessionmanager() async throws {
        manager.onResumeAtOffset = { task, place in print(place.offset) }
    }
    mutating func row48FromAfurlsessionmanager() async throws {
        use(Notification.Name.sessionTaskDidResume)
    }
    mutating func row49FromAfurlsessionmanager() async throws {
        use(Notification.Name.sessionTaskDidSuspend)
    }
    mutating func row50FromAfurlsessionmanager() async throws {
        use(Notification.Name.sessionTaskDidComplete)
    }
    mutating func row51FromAfurlsessionmanager() async throws {
        use(Notification.Name.sessionDidInvalidate)
    }
    mutating func row52FromAfurlsessionmanager() async throws {
        use(Notification.Name.sessionDownloadTaskDidMoveFile)
    }
    mutating func row53FromAfurlsessionmanager() async throws {
        use(Notification.Name.sessionDownloadTaskDidFailToMoveFile)
    }
    mutating func row54FromAfurlsessionmanager() async throws {
        use(SessionNotification.serializedResponseKey)
    }
    mutating func row55FromAfurlsessionmanager() async throws {
        use(SessionNotification.responseSerializerKey)
    }
    mutating func row56FromAfurlsessionmanager() async throws {
        use(SessionNotification.responseDataKey)
    }
    mutating func row57FromAfurlsessionmanager() async throws {
        use(SessionNotification.errorKey)
    }
    mutating func row58FromAfurlsessionmanager() async throws {
        use(SessionNotification.assetPathKey)
    }
    mutating func row59FromAfurlsessionmanager() async throws {
        use(SessionNotification.metricsKey)
    }
    mutating func row60FromAfurlsessionmanager() async throws {
        use((any ResponseSerializer).self)
    }
    mutating func row61FromAfurlsessionmanager() async throws {
        use(HTTPResponseSerializer())
    }
    mutating func row62FromAfurlsessionmanager() async throws {
        use(JSONResponseSerializer(removesNullValues: true))
    }
    mutating func row63FromAfurlsessionmanager() async throws {
        use(PropertyListResponseSerializer())
    }
    mutating func row64FromAfurlsessionmanager() async throws {
        use(XMLResponseSerializer())
    }
    mutating func row65FromAfurlsessionmanager() async throws {
        use(ResponseFormat.xml)
    }
    mutating func row66FromAfurlsessionmanager() async throws {
        use(DataResponseSerializer())
    }
    mutating func row67FromAfurlsessionmanager() async throws {
        use(CompoundResponseSerializer([JSONResponseSerializer(), PropertyListResponseSerializer()]))
    }
    mutating func row68FromAfurlsessionmanager() async throws {
        manager.securityPolicy = try SecurityPolicy(pinningMode: .publicKey)
    }
    mutating func row69FromAfurlsessionmanager() async throws {
        use(try policy.pin([Data(contentsOf: file)]))
    }
    mutating func row70FromAfurlsessionmanager() async throws {
        use(ServerTrust.self)
    }
    mutating func row71FromAfurlsessionmanager() async throws {
        use(ChallengeResponse.rejectProtectionSpace)
    }
    mutating func row72FromAfurlsessionmanager() async throws {
        use(ChallengeResponse.trust)
    }
    mutating func row73FromAfurlsessionmanager() async throws {
        use(HTTPRequestSerializer())
    }
    mutating func row74FromAfurlsessionmanager() async throws {
        use(JSONRequestSerializer())
    }
    mutating func row75FromAfurlsessionmanager() async throws {
        use(PropertyListRequestSerializer())
    }
    mutating func row76FromAfurlsessionmanager() async throws {
        use(try QueryEncoding().query(of: ["a": [1, 2]]))
    }
    mutating func row77FromAfurlsessionmanager() async throws {
        let form = MultipartForm()
        _ = form
    }
    mutating func row78FromAfurlsessionmanager() async throws {
        use(try await MultipartRequest(request, form: MultipartForm()).write(to: file))
    }
    mutating func row79FromAfurlsessionmanager() async throws {
        options.cookies = NoCookies()
    }
    mutating func row80FromAfurlsessionmanager() async throws {
        request.idleTimeout = 7
    }
    mutating func row81FromAfurlsessionmanager() async throws {
        request.cachePolicy = .reloadRevalidatingCacheData
    }
    mutating func row82FromAfurlsessionmanager() async throws {
        manager.onIgnoredProperty = { property in print(property) }
    }
    mutating func row83FromAfurlsessionmanager() async throws {
        use(try HTTPManager(baseURL: "https://example.org/v1"))
    }
    mutating func row84FromAfurlsessionmanager() async throws {
        use(http.get("a", parameters: ["b": 1], success: { task, object in }, failure: { task, error in }))
    }
    mutating func row85FromAfurlsessionmanager() async throws {
        use(try HTTPManager(settings: http.settings))
    }
    mutating func row86FromAfurlsessionmanager() async throws {
        use(ReachabilityManager())
    }
    mutating func row87FromAfurlsessionmanager() async throws {
        use(try ReachabilityManager(domain: "example.org"))
    }
    mutating func row88FromAfurlsessionmanager() async throws {
        use(try ReachabilityManager(address: "192.0.2.1"))
    }
    mutating func row89FromAfurlsessionmanager() async throws {
        use(manager.add(SessionLog { line in print(line) }))
    }
}
