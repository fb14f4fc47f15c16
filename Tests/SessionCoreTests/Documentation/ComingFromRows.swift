import Foundation
import FoundationNetworking
import SessionCore
import SessionHTTP

/// The rows of the articles for those who come from another library: what something is called there, and code that does it
/// here, which is compiled and never run.
enum ComingFromRows {
    /// What the code of the rows uses.
    struct Use {
        let manager: SessionManager
        let http: HTTPManager
        let task: SessionTask
        let head: ResponseHead
        let resumeData: ResumeData
        let request: URLRequest
        let file: URL
        var configuration: SessionConfiguration
        var transfer: TransferRequest
        var options: RequestOptions
        var taskOptions: TaskOptions

        func policy(_ change: (inout SecurityPolicy) throws -> Void) throws -> SecurityPolicy {
            var policy = SecurityPolicy.default
            try change(&policy)
            return policy
        }
    }

    /// One row.
    struct Row: Sendable {
        let name: String
        private let code: @Sendable (inout Use) async throws -> Void

        init(_ name: String, _ code: @escaping @Sendable (inout Use) async throws -> Void) {
            (self.name, self.code) = (name, code)
        }
    }

    static let afNetworking: [Row] = [
        Row("`initWithSessionConfiguration:`") { use in _ = SessionManager(configuration: .default) },
        Row("`backgroundSessionConfigurationWithIdentifier:`") { use in
            _ = SessionConfiguration.persistent(identifier: "a")
        },
        Row("`attemptsToRecreateUploadTasksForBackgroundSessions`") { use in
            _ = use.configuration.attemptsToRecreateUploadTasks
        },
        Row("`session`") { use in _ = use.manager.session },
        Row("`operationQueue`") { use in _ = use.manager.operationQueue },
        Row("`responseSerializer`") { use in use.manager.responseSerializer = JSONResponseSerializer() },
        Row("`securityPolicy`") { use in use.manager.securityPolicy = .default },
        Row("`reachabilityManager`") { use in use.manager.reachabilityManager = .shared },
        Row("`completionQueue`") { use in use.manager.completionQueue = .global() },
        Row("`completionGroup`") { use in use.manager.completionGroup = DispatchGroup() },
        Row("`invalidateSessionCancelingTasks:resetSession:`") { use in
            use.manager.invalidate(cancellingTasks: true, resettingSession: true)
        },
        Row("`copy`") { use in _ = use.manager.copy() },
        Row("`NSSecureCoding`") { use in _ = try JSONEncoder().encode(use.configuration) },
        Row("`requestSerializer.HTTPRequestHeaders`") { use in _ = use.manager.requestHeaders.snapshot },
        Row("`setValue:forHTTPHeaderField:`") { use in
            use.manager.requestHeaders.setValue("1", forHTTPHeaderField: "X-Own")
        },
        Row("`NSURLSessionTask`") { use in _ = SessionTask.self },
        Row("`dataTaskWithRequest:…completionHandler:`") { use in
            _ = try use.manager.dataTask(with: use.request) { _, _, _ in }
        },
        Row("`uploadTaskWithRequest:fromFile:…`") { use in
            _ = try use.manager.uploadTask(with: use.request, fromFile: use.file) { _, _, _ in }
        },
        Row("`uploadTaskWithRequest:fromData:…`") { use in
            _ = try use.manager.uploadTask(with: use.request, from: Data()) { _, _, _ in }
        },
        Row("`uploadTaskWithStreamedRequest:…`") { use in
            _ = try use.manager.uploadTask(withStreamedRequest: use.request) { _, _, _ in }
        },
        Row("`downloadTaskWithRequest:…destination:…`") { use in
            _ = try use.manager.downloadTask(with: use.request, destination: { file, _ in file }) { _, _, _ in }
        },
        Row("`downloadTaskWithResumeData:…`") { use in
            _ = try use.manager.downloadTask(withResumeData: use.resumeData) { _, _, _ in }
        },
        Row("`cancelByProducingResumeData:`") { use in use.task.cancel { _ in } },
        Row("`tasks`, `dataTasks`, `uploadTasks`, `downloadTasks`") { use in
            _ = use.manager.tasks + use.manager.dataTasks + use.manager.uploadTasks + use.manager.downloadTasks
        },
        Row("`uploadProgressForTask:`, `downloadProgressForTask:`") { use in
            _ = [use.manager.uploadProgress(for: use.task), use.manager.downloadProgress(for: use.task)]
        },
        Row("`NSURLSessionTask.delegate`") { use in use.task.handler = nil },
        Row("`originalRequest`, `currentRequest`") { use in
            _ = [use.task.originalRequest, use.task.currentRequest]
        },
        Row("`NSHTTPURLResponse`") { use in _ = [use.head.suggestedFilename, use.head.httpURLResponse?.mimeType] },
        Row("`task.response`") { use in _ = (use.task.response, use.task.responseHead) },
        Row("`taskIdentifier`") { use in _ = use.task.taskIdentifier },
        Row("`taskDescription`") { use in use.task.taskDescription = "mine" },
        Row("`setSessionDidBecomeInvalidBlock:`") { use in use.manager.onInvalidate = { _, _ in } },
        Row("`setSessionDidReceiveAuthenticationChallengeBlock:`") { use in
            use.manager.onSessionChallenge = { _ in .performDefault }
        },
        Row("`setAuthenticationChallengeHandler:`") { use in use.manager.onTaskChallenge = { _, _ in .performDefault }
        },
        Row("`setTaskWillPerformHTTPRedirectionBlock:`") { use in use.manager.onRedirect = { _, _, request in request }
        },
        Row("`setTaskNeedNewBodyStreamBlock:`") { use in use.manager.onNeedNewBody = { _ in .data(Data()) } },
        Row("`setTaskDidSendBodyDataBlock:`") { use in
            use.manager.onSendBody = { _, counts in print(counts.sinceLast, counts.total) }
        },
        Row("`setTaskDidCompleteBlock:`") { use in use.manager.onComplete = { _, _ in } },
        Row("`setTaskDidFinishCollectingMetricsBlock:`") { use in use.manager.onMetrics = { _, _ in } },
        Row("`setDataTaskDidReceiveResponseBlock:`") { use in use.manager.onResponse = { _, _ in .allow } },
        Row("`setDataTaskDidBecomeDownloadTaskBlock:`") { use in use.manager.onBecomeDownload = { _ in } },
        Row("`setDataTaskDidReceiveDataBlock:`") { use in use.manager.onData = { _, data in print(data.count) } },
        Row("`setDataTaskWillCacheResponseBlock:`") { use in
            use.manager.onWillCacheResponse = { _, response in response }
        },
        Row("`setDidFinishEventsForBackgroundURLSessionBlock:`") { use in use.manager.onDidFinishEvents = { _ in } },
        Row("`setDownloadTaskDidFinishDownloadingBlock:`") { use in use.manager.onDownloadFinished = { _, file in file }
        },
        Row("`setDownloadTaskDidWriteDataBlock:`") { use in
            use.manager.onWriteData = { _, counts in print(counts.expected ?? -1) }
        },
        Row("`setDownloadTaskDidResumeBlock:`") { use in
            use.manager.onResumeAtOffset = { _, place in print(place.offset, place.expectedTotal ?? -1) }
        },
        Row("`AFNetworkingTaskDidResumeNotification`") { use in _ = Notification.Name.sessionTaskDidResume },
        Row("`AFNetworkingTaskDidSuspendNotification`") { use in _ = Notification.Name.sessionTaskDidSuspend },
        Row("`AFNetworkingTaskDidCompleteNotification`") { use in _ = Notification.Name.sessionTaskDidComplete },
        Row("`AFURLSessionDidInvalidateNotification`") { use in _ = Notification.Name.sessionDidInvalidate },
        Row("`AFURLSessionDownloadTaskDidMoveFileSuccessfullyNotification`") { use in
            _ = Notification.Name.sessionDownloadTaskDidMoveFile
        },
        Row("`AFURLSessionDownloadTaskDidFailToMoveFileNotification`") { use in
            _ = Notification.Name.sessionDownloadTaskDidFailToMoveFile
        },
        Row("`AFNetworkingTaskDidCompleteSerializedResponseKey`") { use in _ = SessionNotification.serializedResponseKey
        },
        Row("`AFNetworkingTaskDidCompleteResponseSerializerKey`") { use in _ = SessionNotification.responseSerializerKey
        },
        Row("`AFNetworkingTaskDidCompleteResponseDataKey`") { use in _ = SessionNotification.responseDataKey },
        Row("`AFNetworkingTaskDidCompleteErrorKey`") { use in _ = SessionNotification.errorKey },
        Row("`AFNetworkingTaskDidCompleteAssetPathKey`") { use in _ = SessionNotification.assetPathKey },
        Row("`AFNetworkingTaskDidCompleteSessionTaskMetrics`") { use in _ = SessionNotification.metricsKey },
        Row("`AFURLResponseSerialization`") { use in _ = (any ResponseSerializer).self },
        Row("`AFHTTPResponseSerializer`") { use in _ = HTTPResponseSerializer() },
        Row("`AFJSONResponseSerializer`") { use in _ = JSONResponseSerializer(removesNullValues: true) },
        Row("`AFPropertyListResponseSerializer`") { use in _ = PropertyListResponseSerializer() },
        Row("`AFCompoundResponseSerializer`") { use in
            _ = CompoundResponseSerializer([JSONResponseSerializer(), PropertyListResponseSerializer()])
        },
        Row("`AFSecurityPolicy`") { use in use.manager.hostSecurityPolicies = ["example.org": SecurityPolicy.default] },
        Row("`setPinnedCertificates:`") { use in _ = try use.policy { try $0.pin([Data()]) } },
        Row("`SecTrustRef`") { use in _ = ServerTrust.self },
        Row("`NSURLSessionAuthChallengeDisposition`") { use in _ = ChallengeResponse.rejectProtectionSpace },
        Row("`AFHTTPRequestSerializer`") { use in _ = HTTPRequestSerializer() },
        Row("`AFJSONRequestSerializer`") { use in _ = JSONRequestSerializer() },
        Row("`AFPropertyListRequestSerializer`") { use in _ = PropertyListRequestSerializer() },
        Row("`AFQueryStringFromParameters`") { use in _ = try QueryEncoding().query(of: ["a": [1, 2]]) },
        Row("`AFMultipartFormData`") { use in _ = MultipartForm() },
        Row("`requestWithMultipartFormRequest:writingStreamContentsToFile:…`") { use in _ = MultipartRequest.write },
        Row("`HTTPShouldHandleCookies`") { use in use.options.cookies = NoCookies() },
        Row("`timeoutInterval`") { use in use.transfer.idleTimeout = 7 },
        Row("`cachePolicy`") { use in use.transfer.cachePolicy = .reloadRevalidatingCacheData },
        Row("`allowsCellularAccess`, `networkServiceType`") { use in
            use.manager.onIgnoredProperty = { property in print(property) }
        },
        Row("`AFHTTPSessionManager`") { use in _ = try HTTPManager(baseURL: "https://example.org/v1") },
        Row("`GET:parameters:headers:progress:success:failure:`") { use in
            _ = use.http.get("a", parameters: ["b": 1], success: { _, _ in }, failure: { _, _ in })
        },
        Row("`NSSecureCoding` of `AFHTTPSessionManager`") { use in _ = try HTTPManager(settings: use.http.settings) },
        Row("`AFNetworkReachabilityManager`") { use in _ = ReachabilityManager() },
        Row("`managerForDomain:`") { use in _ = try ReachabilityManager(domain: "example.org") },
        Row("`managerForAddress:`") { use in _ = try ReachabilityManager(address: "192.0.2.1") },
        Row("`AFNetworkActivityIndicatorManager`") { use in use.manager.add(SessionLog { print($0) }) },
    ]

    static let alamofire: [Row] = [
        Row("`Session`, `AF`") { use in _ = (SessionManager(), HTTPManager()) },
        Row("`AF.request(…).serializingDecodable(…)`") { use in
            _ = try await use.manager.decode(Int.self, for: use.request)
        },
        Row("`serializingData()`, `serializingString()`") { use in
            _ = (
                try await use.manager.data(for: use.request, as: .data),
                try await use.manager.data(for: use.request, as: .string)
            )
        },
        Row("`DataResponse`") { use in
            _ = try await use.manager.response(for: use.request, as: .json).completion.metrics
        },
        Row("`URLRequestConvertible`") { use in _ = try use.manager.dataTask(with: use.transfer, completionHandler: nil)
        },
        Row("`parameters:encoder:`") { use in
            _ = (
                try await use.http.get("a", parameters: ["b": 1], as: .json),
                try await use.http.post("a", body: [1], as: .json)
            )
        },
        Row("`URLEncodedFormParameterEncoder`") { use in _ = (HTTPRequestSerializer(), QueryEncoding()) },
        Row("`JSONParameterEncoder`") { use in _ = JSONRequestSerializer() },
        Row("`ParameterEncoder`") { use in _ = (any RequestSerializer).self },
        Row("`streamRequest`") { use in
            _ = (try await use.manager.bytes(for: use.request), BodyDelivery.data { data in print(data.count) })
        },
        Row("`upload(_:to:)`") { use in
            _ = (
                try await use.manager.upload(for: use.request, from: Data()),
                try await use.manager.upload(for: use.request, fromFile: use.file)
            )
        },
        Row("`upload(multipartFormData:)`") { use in
            _ = try await use.manager.upload(MultipartRequest(use.transfer, form: MultipartForm()))
        },
        Row("`download(_:to:)`") { use in _ = try await use.manager.download(for: use.request).fileURL },
        Row("`DownloadRequest.Destination`") { use in
            _ = try await use.manager.download(for: use.request, destination: { file, _ in file })
        },
        Row("`download(resumingWith:)`, `cancel(producingResumeData:)`") { use in
            _ = try use.manager.downloadTask(withResumeData: use.resumeData, completionHandler: nil)
        },
        Row("`HTTPHeaders`") { use in _ = ["Accept": "text/plain"] as HeaderFields },
        Row("`authenticate(username:password:)`") { use in
            use.options.credentials = RequestCredentials(user: "a", password: "b")
        },
        Row("`cancel()`, `suspend()`, `resume()`") { use in use.task.suspend() },
        Row("`uploadProgress`, `downloadProgress`") { use in
            use.taskOptions.downloadProgress = { progress in print(progress) }
        },
        Row("`cURLDescription`") { use in _ = use.transfer.cURLDescription },
        Row("`RequestInterceptor`") { use in _ = (any RequestInterceptor).self },
        Row("`Adapter`, `Retrier`") { use in
            _ = ClosureInterceptor(adapt: { request, _ in request }, decide: { _ in .retry() })
        },
        Row("`AuthenticationInterceptor`") { use in _ = TokenInterceptor { _ in "new" } },
        Row("`RetryPolicy`") { use in _ = RequestRetrier(maximumRetries: 2) },
        Row("`validate(_:)`") { use in use.taskOptions.validate = { head, _ in print(head.statusCode) } },
        Row("`ResponseSerializer`") { use in _ = (any ResponseSerializer).self },
        Row("`EventMonitor`") { use in use.manager.add(SessionLog { line in print(line) }) },
        Row("`ServerTrustManager`") { use in use.manager.hostSecurityPolicies = ["*.example.org": .default] },
        Row("`PinnedCertificatesTrustEvaluator`, `PublicKeysTrustEvaluator`") { use in
            _ = try SecurityPolicy(pinningMode: .publicKey)
        },
        Row("`DisabledTrustEvaluator`") { use in use.options.acceptsAnyCertificate = true },
        Row("`Redirector`") { use in use.manager.onRedirect = { _, _, _ in nil } },
        Row("`CachedResponseHandler`") { use in use.manager.onWillCacheResponse = { _, _ in nil } },
        Row("`NetworkReachabilityManager`") { use in _ = try ReachabilityManager(domain: "example.org").statuses },
        Row("`AFError`") { use in
            _ = (SessionError.self, ResponseSerializationError.self, RequestSerializationError.self)
        },
    ]
}
