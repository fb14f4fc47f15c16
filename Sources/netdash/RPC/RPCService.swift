import AriaRPC
import Dashboard
import Foundation
import Glibc
import RPCListener
import SessionSupport
import TransferService

/// aria2's interface over a service.
struct RPCService {
    /// The most bytes of a file with a token or a certificate.
    private static let fileLimit = 1 << 20

    private let listener: RPCListener
    /// The file of its certificate; nil for plain HTTP.
    private let certificate: String?
    private let server: AriaServer

    /// Where it listens, as a client writes it.
    var address: String { listener.boundAddress.text }

    /// - Parameters:
    ///   - session: the saved session, which keeps its GIDs; nil for none.
    ///   - log: takes lines for the log.
    ///   - onStop: called on any thread after a client has stopped the service.
    init(
        _ settings: Settings, at address: RPCAddress, over service: LocalService, session: String?,
        environment: [String: String],
        log: @escaping @Sendable (SafeText) -> Void, onStop: @escaping @Sendable () -> Void
    ) throws(UsageError) {
        let secret = try settings.rpc.secret.map { (text) throws(UsageError) in
            AriaSecret(try Self.read(text, environment))
        }
        guard address.isLocal || secret?.isLong == true else {
            throw UsageError(argument: "--rpc", RPCUsage.needsSecret(AriaSecret.leastLength))
        }
        certificate = settings.rpc.certificate
        let pair = try certificate.map { (path) throws(UsageError) in
            try Self.contents(of: path, option: "--rpc-cert")
        }
        let tasks = ServiceTasks(service, settings.service)
        service.observe(tasks)
        server = AriaServer(
            tasks, Self.program(settings, log), secret: secret, options: settings.rpc.options,
            seed: session.map { GIDSeedFile.seed(ofSession: $0, environment: environment) } ?? GIDSeed())
        let rule = OriginRule(isLocal: address.isLocal, allowed: settings.rpc.origins)
        do throws(ListenerProblem) {
            listener = try RPCListener(
                AriaHTTP(server, rule), at: address, certificate: pair, news: ServiceNews(service, server),
                onStop: onStop)
        } catch {
            throw UsageError(argument: "--rpc", error.sentence)
        }
    }

    /// When a client last asked for anything, which is now while one keeps a WebSocket open; nil before that.
    var lastRequest: Int64? { listener.hasSockets ? MonotonicClock.milliseconds : server.lastRequest }

    /// Begins to answer; called once.
    func start() throws(UsageError) {
        do throws(ListenerProblem) {
            try listener.start()
        } catch {
            if let certificate { throw UsageError(argument: "--rpc-cert", RPCUsage.notStarted(certificate)) }
            throw UsageError(argument: "--rpc", error.sentence)
        }
    }

    func close() { listener.close() }

    private static func program(_ settings: Settings, _ log: @escaping @Sendable (SafeText) -> Void) -> AriaProgram {
        AriaProgram(
            version: Product.version, directory: CurrentFolder.absolute(settings.directory ?? "."),
            userAgent: settings.options.terms.headers["User-Agent"] ?? Product.userAgent,
            now: { MonotonicClock.milliseconds },
            metalink: { bytes, defaults in try? Metalink.jobs(in: bytes, name: "addMetalink", defaults: defaults) },
            write: { text, path in FileReplacement.write(Array(text.utf8), to: path, access: .user) == nil },
            log: log)
    }

    // MARK: - Secrets

    private static func read(_ secret: SecretText, _ environment: [String: String]) throws(UsageError) -> String {
        switch secret {
        case .text(let text): return text
        case .environment(let name):
            guard let text = environment[name], !text.isEmpty else {
                throw UsageError(argument: "--rpc-secret", RPCUsage.noVariable(name))
            }
            return text
        case .file(let path):
            let lines = try contents(of: path, option: "--rpc-secret").split(separator: "\n")
            guard let line = lines.first.map({ ByteText.trimmed($0) }), !line.isEmpty else {
                throw UsageError(argument: "--rpc-secret", RPCUsage.emptySecret)
            }
            return line
        case .command: throw UsageError(argument: "--rpc-secret", RPCUsage.commandSecret)
        }
    }

    private static func contents(of path: String, option: String) throws(UsageError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, option) }
        defer { Glibc.close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= fileLimit {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, option) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unreadable(_ path: String, _ option: String) -> UsageError {
        UsageError(argument: option, RPCUsage.unreadable(path, String(cString: strerror(errno))))
    }
}
