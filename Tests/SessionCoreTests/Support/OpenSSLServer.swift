import Foundation

@testable import SessionCore

/// An HTTPS server of the openssl command on loopback, with certificates made on the spot; ended with this object.
final class OpenSSLServer: @unchecked Sendable {
    /// What it shows.
    struct Identity: Sendable {
        /// Names and addresses in the certificate.
        var names = "IP:127.0.0.1"
        /// Its common name.
        var commonName = "Test server"
        /// Whether the certificate is signed by an authority made for it, which is shown too.
        var hasAuthority = false
        /// Whether clients have to show a certificate that the authority has signed.
        var asksForCertificate = false
        /// What is wrong with the chain; nil for nothing.
        var flaw: Flaw?
        /// Further words for the server.
        var options: [String] = []
    }

    /// What can be wrong with a chain whose authority is known.
    enum Flaw: Sendable {
        case expired, notYetValid
        /// The authority's certificate says that it is that of none.
        case authorityIsNone
    }

    struct Failed: Error {
        let command: String
    }

    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    /// Where it listens, on a port that the kernel has given it.
    private(set) var url = ""
    let folder: TemporaryFolder
    private let process = Process()
    private let condition = NSCondition()
    private var output = ""
    private var answered = 0
    private var received = ""
    private let answer: String

    /// Starts it: one answer per connection, or, kept alive, one connection at a time with as many as are asked for.
    convenience init(
        _ identity: Identity = Identity(), keepsAlive: Bool = false,
        answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    ) throws {
        let folder = try TemporaryFolder()
        let chain = try Self.makeCertificates(identity, in: folder.path)
        let asking =
            identity.asksForCertificate
            ? ["-Verify", "2", "-verify_return_error", "-CAfile", folder.path + "/authority.pem"] : []
        try self.init(folder, "server", chain + asking + identity.options, keepsAlive: keepsAlive, answer: answer)
    }

    /// Starts it with a certificate of a workshop, and with another one shown behind it: one connection at a time, whose
    /// requests are counted.
    convenience init(
        _ workshop: CertificateWorkshop, _ name: String, showing authority: String?, arguments: [String] = [],
        answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    ) throws {
        let chain = authority.map { ["-cert_chain", workshop.file($0 + ".pem")] } ?? []
        try self.init(workshop.folder, name, chain + arguments, keepsAlive: true, answer: answer)
    }

    private init(
        _ folder: TemporaryFolder, _ name: String, _ arguments: [String], keepsAlive: Bool, answer: String
    ) throws {
        (self.folder, self.answer) = (folder, answer)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-key", folder.path + "/\(name).key", "-cert"]
            + [folder.path + "/\(name).pem"] + arguments + (keepsAlive ? [] : ["-www"])
        let output = Pipe()
        let input = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = input
        try process.run()
        let reader = output.fileHandleForReading
        let answering = keepsAlive ? input.fileHandleForWriting : nil
        // A thread and not a handler of Foundation's: that one's source may still be looked at while its pipe is closed, and
        // the process ends there.
        Thread.detachNewThread { [weak self] in
            while let bytes = Self.nextBytes(of: reader) { self?.take(bytes, answering: answering) }
        }
        url = "https://127.0.0.1:\(try waitForPort())/"
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends it without a word on its connections, which end in order as far as TCP goes.
    func fallSilent() {
        kill(process.processIdentifier, SIGKILL)
    }

    /// Requests answered by a server that is kept alive.
    var answerCount: Int { condition.withLock { answered } }

    /// Whether no byte of a request has come, of a server that is kept alive.
    var hasReceivedNothing: Bool { condition.withLock { answered == 0 && !output.contains("HTTP/1.1") } }

    /// Whether a text has come over a connection; of a server that is kept alive.
    func hasReceived(_ text: String) -> Bool { condition.withLock { received.contains(text) } }

    /// Waits until a text stands so often in what the server has said, with whatever it was told to say (`-msg`), and returns
    /// how often it does.
    func count(of text: String, atLeast least: Int) -> Int {
        let deadline = Date().addingTimeInterval(30)
        condition.lock()
        defer { condition.unlock() }
        while true {
            let count = received.components(separatedBy: text).count - 1
            if count >= least || !condition.wait(until: deadline) { return count }
        }
    }

    /// A certificate of the folder in DER form: `server` or `authority`.
    func certificate(_ name: String = "server") throws -> Data {
        let url = URL(fileURLWithPath: folder.path + "/\(name).der")
        try Self.run(
            ["x509", "-in", folder.path + "/\(name).pem", "-outform", "DER", "-out", url.path])
        return try Data(contentsOf: url)
    }

    /// A certificate of the folder as a text in PEM form.
    func pem(_ name: String = "server") throws -> String {
        try String(contentsOf: URL(fileURLWithPath: folder.path + "/\(name).pem"), encoding: .utf8)
    }

    /// Another certificate of the server's key, in DER form.
    func renewedCertificate() throws -> Data {
        let file = folder.path + "/renewed.der"
        try Self.run(
            ["req", "-x509", "-key", folder.path + "/server.key", "-subj", "/CN=Renewed", "-days", "2", "-outform"]
                + ["DER", "-out", file])
        return try Data(contentsOf: URL(fileURLWithPath: file))
    }

    private func waitForPort() throws -> Substring {
        let deadline = Date().addingTimeInterval(30)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let line = output.firstMatch(of: /ACCEPT [^\n]*:([0-9]+)\n/) { return line.1 }
            if !condition.wait(until: deadline) { throw Failed(command: "s_server") }
        }
    }

    /// What has come since the last call, after waiting for it; nil at the end, which the process's own end brings.
    private static func nextBytes(of pipe: FileHandle) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(pipe.fileDescriptor, &bytes, bytes.count)
            if count > 0 { return Data(bytes[..<count]) }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    private func take(_ data: Data, answering input: FileHandle?) {
        condition.withLock {
            output += String(decoding: data, as: UTF8.self)
            received += String(decoding: data, as: UTF8.self)
            while let input, let end = output.range(of: "\r\n\r\n") {
                output.removeSubrange(..<end.upperBound)
                answered += 1
                try? input.write(contentsOf: Data(answer.utf8))
            }
            condition.broadcast()
        }
    }

    /// Makes the files and returns the words that have the server show its authority.
    private static func makeCertificates(_ identity: Identity, in folder: String) throws -> [String] {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        var authority: [String] = []
        if identity.hasAuthority {
            try run(
                ["req", "-x509", "-subj", "/CN=Test authority", "-keyout", folder + "/authority.key", "-out"]
                    + [folder + "/authority.pem"]
                    + (identity.flaw == .authorityIsNone ? ["-addext", "basicConstraints=critical,CA:FALSE"] : []) + key
            )
            authority = ["-CA", folder + "/authority.pem", "-CAkey", folder + "/authority.key"]
        }
        try run(
            ["req", "-x509", "-subj", "/CN=" + identity.commonName]
                + (identity.names.isEmpty ? [] : ["-addext", "subjectAltName=" + identity.names]) + [
                    "-keyout", folder + "/server.key", "-out", folder + "/server.pem",
                ] + key + authority)
        if identity.flaw == .expired { try sign(identity, "20200101000000Z", "20200102000000Z", in: folder) }
        if identity.flaw == .notYetValid { try sign(identity, "20900101000000Z", "20900102000000Z", in: folder) }
        return identity.hasAuthority ? ["-cert_chain", folder + "/authority.pem"] : []
    }

    /// Has the authority sign the server's key anew, for other days.
    private static func sign(_ identity: Identity, _ start: String, _ end: String, in folder: String) throws {
        let settings = """
            [ca]
            default_ca = here
            [here]
            database = \(folder)/index
            serial = \(folder)/serial
            new_certs_dir = \(folder)
            default_md = sha256
            policy = any
            x509_extensions = extensions
            unique_subject = no
            [any]
            commonName = supplied
            [extensions]
            subjectAltName = \(identity.names)
            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: folder + "/ca.cnf"))
        try Data().write(to: URL(fileURLWithPath: folder + "/index"))
        try Data("01\n".utf8).write(to: URL(fileURLWithPath: folder + "/serial"))
        try run(
            ["req", "-new", "-key", folder + "/server.key", "-subj", "/CN=" + identity.commonName]
                + ["-out", folder + "/server.csr"])
        try run(
            ["ca", "-batch", "-notext", "-config", folder + "/ca.cnf", "-in", folder + "/server.csr"]
                + ["-cert", folder + "/authority.pem", "-keyfile", folder + "/authority.key"]
                + ["-startdate", start, "-enddate", end, "-out", folder + "/server.pem"])
    }

    /// Runs a command of openssl's to its end.
    static func run(_ arguments: [String], in folder: String? = nil) throws {
        let process = Process()
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder, isDirectory: true) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(command: arguments.joined(separator: " ")) }
    }
}

extension SessionManager {
    /// A manager that asks once, and believes the authorities of a file; nil for the system's.
    static func asking(believing authorities: String?) -> SessionManager {
        var configuration = SessionConfiguration()
        (configuration.maximumRetries, configuration.connectTimeout) = (0, 30)
        if let authorities {
            var options = RequestOptions()
            options.authorities = AuthorityFiles(file: authorities)
            configuration.options = options
        }
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        return manager
    }
}
