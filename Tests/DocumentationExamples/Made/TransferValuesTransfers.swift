// swift-format-ignore-file
// Made of Sources/TransferValues/Transfers; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfDownloadTarget() async throws {
        let target = DownloadTarget(folder: folder, name: .fixed("image.iso"), collision: .rename)
        let completion = try await manager.download(for: request, options: TaskOptions(target: target))
        print(completion.fileURL ?? file)
        _ = target
        _ = completion
    }
    mutating func exampleOfDownloadTargetName() async throws {
        print(DownloadTarget(folder: folder, name: .fixed("image.iso")).name == .automatic)
    }
    mutating func exampleOfDownloadTargetCollision() async throws {
        print(DownloadTarget(folder: folder, collision: .skip).collision)
    }
    mutating func exampleOfChecksum() async throws {
        var target = DownloadTarget(folder: folder)
        target.checksum = Checksum(algorithm: .sha256, digest: [UInt8](repeating: 0, count: 32))
        _ = try await manager.download(for: request, options: TaskOptions(target: target))
        _ = target
    }
    mutating func exampleOfChecksumAlgorithm() async throws {
        print(Checksum.Algorithm.allCases.map(\.rawValue))
    }
    mutating func exampleOfResumeData() async throws {
        task.cancel { resumeData in
            guard let resumeData else { return }
            print((try? JSONEncoder().encode(resumeData))?.count ?? 0)
        }
    }
    mutating func exampleOfMirrors() async throws {
        var target = DownloadTarget(folder: folder)
        target.mirrors = Mirrors(urls: ["https://mirror.example.org/image.iso"])
        _ = target
    }
    mutating func exampleOfSourceEvent() async throws {
        for await event in task.events {
            if case .source(.dropped(let url, let reason)) = event { print(url, reason) }
        }
    }
    mutating func exampleOfRateLimit() async throws {
        task.rateLimit = RateLimit(download: 500_000)
    }
    mutating func exampleOfRateLimits() async throws {
        manager.setRateLimits(RateLimits(all: RateLimit(download: 2_000_000), perTask: RateLimit(upload: 100_000)))
    }
    mutating func exampleOfResponseHead() async throws {
        let head = try await manager.data(for: request).head
        print(head?.statusCode ?? 0, head?.headers["Content-Type"] ?? "no type")
        _ = head
    }
    mutating func exampleOfHTTPVersion() async throws {
        print(try await manager.data(for: request).head?.version == .http2)
    }
    mutating func exampleOfSegmentation() async throws {
        var configuration = SessionConfiguration()
        configuration.segmentation = Segmentation(connections: .exactly(4))
        let manager = SessionManager(configuration: configuration)
        _ = configuration
        _ = manager
    }
    mutating func exampleOfSegmentationConnections() async throws {
        print(Segmentation(connections: .automatic).connections == .exactly(1))
    }
    mutating func exampleOfSessionConfiguration() async throws {
        var configuration = SessionConfiguration.default
        configuration.maximumConcurrentTransfers = 4
        configuration.maximumRetries = 2
        let manager = SessionManager(configuration: configuration)
        _ = configuration
        _ = manager
    }
    mutating func exampleOfStoredTransfer() async throws {
        for transfer in try manager.store.transfers where transfer.needsCredentials { print(transfer.request.url) }
    }
    mutating func exampleOfTaskStatus() async throws {
        for await status in task.statuses { print(status.phase, status.received, status.expectedToReceive ?? -1) }
    }
    mutating func exampleOfPhase() async throws {
        if task.status.phase == .retrying { print("attempt \(task.status.failedAttempts + 1) is next") }
    }
    mutating func exampleOfTransferID() async throws {
        let id = task.id
        print(manager.task(for: id)?.kind ?? .data)
        _ = id
    }
    mutating func exampleOfTransferKind() async throws {
        print(manager.tasks.filter { $0.kind == .download }.count)
    }
    mutating func exampleOfTransferMetrics() async throws {
        manager.onMetrics = { task, metrics in print(task.id, metrics.firstByte, metrics.total) }
    }
    mutating func exampleOfSecureConnection() async throws {
        if let connection = task.metrics.secureConnection { print(connection.version, connection.issuer) }
    }
}
