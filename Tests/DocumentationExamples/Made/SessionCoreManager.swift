// swift-format-ignore-file
// Made of Sources/SessionCore/Manager; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfRequestHeaderStore() async throws {
        manager.requestHeaders.setValue("nb", forHTTPHeaderField: "Accept-Language")
    }
    mutating func exampleOfResponseBytes() async throws {
        let (body, head) = try await manager.bytes(for: request)
        print(head.statusCode)
        for try await line in body.lines { print(line) }
        _ = body
        _ = head
    }
    mutating func exampleOfResponseBytesIterator() async throws {
        let (body, _) = try await manager.bytes(for: request)
        var bytes = body.makeAsyncIterator()
        let first = try await bytes.next()
        print(first ?? 0)
        _ = body
        _ = bytes
        _ = first
    }
    mutating func exampleOfResponseCache() async throws {
        struct NoErrorPages: ResponseCache {
            let cache = URLResponseCache()
            func response(for request: TransferRequest) -> CachedResponse? { cache.response(for: request) }
            func removeResponse(for request: TransferRequest) { cache.removeResponse(for: request) }
            func store(_ response: CachedResponse) {
                if response.head.statusCode < 400 { cache.store(response) }
            }
        }
        manager.responseCache = NoErrorPages()
    }
    mutating func exampleOfCachedResponse() async throws {
        manager.onWillCacheResponse = { _, response in response.data.count < 1 << 20 ? response : nil }
    }
    mutating func exampleOfURLResponseCache() async throws {
        manager.responseCache = URLResponseCache(URLCache(memoryCapacity: 8 << 20, diskCapacity: 0, diskPath: nil))
    }
    mutating func exampleOfSessionHandlers() async throws {
        var handlers = SessionHandlers()
        handlers.onComplete = { task, error in print(task.id, error == nil ? "ended" : "failed") }
        let listening = SessionManager(handlers: handlers)
        _ = handlers
        _ = listening
    }
    mutating func exampleOfByteCounts() async throws {
        manager.onWriteData = { _, counts in print("\(counts.total) of \(counts.expected ?? -1) bytes") }
    }
    mutating func exampleOfResumedOffset() async throws {
        manager.onResumeAtOffset = { _, resumed in print("goes on behind \(resumed.offset) bytes") }
    }
    mutating func exampleOfResponse() async throws {
        let response = try await manager.response(for: request, as: .string)
        print(response.value, response.completion.metrics.total)
        _ = response
    }
    mutating func exampleOfIgnoredRequestProperty() async throws {
        manager.onIgnoredProperty = { property in print("\(property) means nothing here") }
    }
    mutating func exampleOfNoCookies() async throws {
        var options = TaskOptions()
        options.requestOptions = RequestOptions()
        options.requestOptions?.cookies = NoCookies()
        _ = try await manager.data(for: request, options: options)
        _ = options
    }
    mutating func exampleOfSessionManager() async throws {
        let manager = SessionManager()
        let completion = try await manager.data(for: URLRequest(url: url))
        print(completion.data.count)
        _ = manager
        _ = completion
    }
    mutating func exampleOfSessionMonitor() async throws {
        struct Ends: SessionMonitor {
            func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
                if case .completed = event { print(task.id) }
            }
        }
        manager.add(Ends())
    }
    mutating func exampleOfSessionLog() async throws {
        manager.add(SessionLog { line in print(line) })
    }
    mutating func exampleOfSessionStore() async throws {
        if let error = manager.store.error { print("Nothing is saved: \(error)") }
        let ended = try manager.store.transfers.filter(\.isFinal)
        manager.store.remove(ended.map(\.id))
        _ = ended
    }
    mutating func exampleOfTaskOptions() async throws {
        var options = TaskOptions(target: DownloadTarget(folder: folder))
        options.downloadProgress = { progress in print(progress.fractionCompleted) }
        let completion = try await manager.download(for: request, options: options)
        print(completion.fileURL ?? file)
        _ = options
        _ = completion
    }
    mutating func exampleOfBodyDelivery() async throws {
        let options = TaskOptions(delivery: .data { chunk in print(chunk.count) })
        try manager.dataTask(with: request, options: options, completionHandler: nil).resume()
        _ = options
    }
    mutating func exampleOfTaskRequest() async throws {
        let requests: [any TaskRequest] = [request, URLRequest(url: url)]
        for request in requests { print(try request.transferRequest().url) }
        _ = requests
    }
    mutating func exampleOfBodyProvider() async throws {
        struct Report: BodyProvider {
            func makeBody() throws(SessionError) -> BodySpecification { .bytes(Array("ready".utf8)) }
        }
        _ = try await manager.upload(for: request, from: Report())
    }
}
