import Foundation
import Glibc
import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// Every option of requests in the four places where it may stand: each leads to the same request.
@Suite("Places of options", .timeLimit(.minutes(1)))
struct OptionPlacesTests {
    /// What options make of a request.
    private struct Effect: Equatable {
        var options: RequestOptions
        var headers: HeaderFields
        var body: String
        /// What they make of the download's file.
        var target: DownloadTarget
        var resumption: UploadResumption
        /// What is expected of the response.
        var answer: AnswerTerms?
    }

    /// A folder with what options name, and an environment with a secret.
    private final class Workspace {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("places-\(UUID().uuidString)").path
        private let socketNumber: Int32

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "x".write(toFile: folder + "/file", atomically: true, encoding: .utf8)
            let netrc = "machine h login me password secret\n"
            try netrc.write(toFile: folder + "/.netrc", atomically: true, encoding: .utf8)
            try FirefoxCookiesTests.write([], to: folder + "/.mozilla/firefox/x.default")
            socketNumber = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let path = Array((folder + "/socket").utf8)
            try #require(path.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isBound = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socketNumber, $0, size) == 0 }
            }
            try #require(isBound)
        }

        deinit {
            close(socketNumber)
            try? FileManager.default.removeItem(atPath: folder)
        }

        var identity: JobIdentity { JobIdentity(environment: ["SECRET": "hidden", "HOME": folder]) }

        /// A value that can be followed.
        func text(of option: JobOption) -> String {
            switch option {
            case .proxy, .httpProxy, .httpsProxy: "http://proxy.example:1080"
            case .authorityFile, .certificate, .key: folder + "/file"
            case .authorityFolder: folder
            case .netrcFile: folder + "/.netrc"
            case .cookieJar: folder + "/jar"
            case .secureHosts: folder + "/hosts"
            case .unixSocket: folder + "/socket"
            default: JobOptionTests.example(of: option)
            }
        }

        /// Options without which another one means nothing, with that one.
        func values(with option: JobOption) -> [JobOption.Value] {
            let companions: [JobOption] =
                switch option {
                case .proxyUser: [.proxy]
                case .key, .keyPassword, .certificateFormat: [.certificate]
                case .maximumPages: [.paginate]
                case .digest, .amazonSignature: [.user]
                default: []
                }
            return (companions + [option]).map { JobOption.Value($0, text(of: $0)) }
        }
    }

    private func effect(of options: [JobOption.Value], _ workspace: Workspace) throws -> Effect {
        let identity = workspace.identity
        var job = Job(kind: .download, url: "http://h/folder/file")
        job.options = options
        var request = TransferRequest(url: job.url)
        try identity.complete(&request, of: job)
        var options = request.options ?? RequestOptions()
        // Every identity has a jar of its own.
        let cookies = options.cookies != nil
        options.cookies = nil
        if cookies { request.headers["X-Test-Jar"] = "yes" }
        // And a list of hosts.
        if options.transport.secureHosts != nil { request.headers["X-Test-Hosts"] = "yes" }
        options.transport.secureHosts = nil
        // Every form has a boundary of its own.
        let type = request.headers["Content-Type"] ?? ""
        let boundary = type.firstMatch(of: /boundary=(.*)/).map { String($0.1) }
        var body = Self.text(of: request.body)
        if let boundary {
            body = body.replacing(boundary, with: "boundary")
            request.headers["Content-Type"] = type.replacing(boundary, with: "boundary")
        }
        let factory = TaskFactory(manager: SessionManager(), directory: workspace.folder, printsBodies: false)
        return Effect(
            options: options, headers: request.headers, body: body, target: factory.target(of: job),
            resumption: factory.request(of: job).uploadResumption, answer: job.options.answerTerms)
    }

    private static func text(of body: BodySpecification) -> String {
        switch body {
        case .none, .descriptor: ""
        case .file(let path): path
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .pieces(let pieces):
            pieces.map { piece in
                if case .bytes(let bytes) = piece { String(decoding: bytes, as: UTF8.self) } else { "\(piece)" }
            }.joined()
        }
    }

    private func line(_ value: JobOption.Value) -> String {
        "\(value.option.name)=\(value.option.isSwitch ? "yes" : value.text)"
    }

    /// Whether it belongs to data requests alone.
    private func isOfRequests(_ option: JobOption) -> Bool { option.isBody || option.subject == .answers }

    private func jobs(_ option: JobOption) -> [String] { isOfRequests(option) ? ["request"] : [] }

    @Test(
        "An option does the same on the command line, in a list, in the configuration and in the form",
        arguments: JobOption.allCases)
    func places(option: JobOption) throws {
        let workspace = try Workspace()
        let values = workspace.values(with: option)
        let wanted = try effect(of: values, workspace)
        // Something has to come of it, or nothing is compared; what is looked for is the bridge's own.
        // Following redirects is the default.
        if option != .findChecksum, option != .followsRedirects {
            let without = try effect(of: values.filter { $0.option != option }, workspace)
            #expect(wanted != without, "it does nothing")
        }

        let words = values.map { value in
            "--" + value.option.name + (value.option.isSwitch ? "" : "=" + value.text)
        }
        let command = try CommandLine.parse(jobs(option) + words + ["http://h/file"]).get()
        #expect(try effect(of: command, workspace) == wanted)

        let kind = (option.subject == .downloads) ? "download" : "data"
        let text = "http://h/file\n kind=\(kind)\n" + values.map { " " + line($0) + "\n" }.joined()
        let list = InputListParser.jobs(in: Array(text.utf8), name: "list", defaults: Job(kind: .download, url: ""))
        #expect(try effect(of: try list.get()[0].options, workspace) == wanted)

        var form = AddForm()
        form.kind = isOfRequests(option) ? .data : .download
        form[.url] = TextField("http://h/file")
        form[.options] = TextField(values.map(line).joined(separator: "; "))
        #expect(try effect(of: try form.jobs()[0].options, workspace) == wanted)

        // What is of one task, and what switches checks off, is not set for ever.
        guard option.memory == .kept else { return }
        let file = Array(values.map { line($0) + "\n" }.joined().utf8)
        let configured = try CommandLine.parse(["http://h/file"]) { () throws(UsageError) in
            try ConfigurationParser.configuration(in: file, name: "f", home: nil)
        }.get()
        #expect(try effect(of: configured, workspace) == wanted)
    }

    /// What a run makes of its one request: options of runs hold for all.
    private func effect(of invocation: Invocation, _ workspace: Workspace) throws -> Effect {
        // A session's options complete those of a request, as if they stood there.
        let run = RunOptions(of: invocation.settings.options)
        return try effect(of: run.completing(invocation.jobs.first?.options ?? []), workspace)
    }

    @Test("Every option stands in the help, the manual page and the completions", arguments: JobOption.allCases)
    func documents(option: JobOption) throws {
        let name = "--" + option.name
        let command: ProgramCommand = isOfRequests(option) ? .request : .download
        #expect(HelpText.text(command).contains(name))
        for shell in Shell.allCases {
            let word = shell == .fish ? "-l " + option.name : name
            #expect(Completions.script(for: shell).contains(word), "\(shell)")
        }
        #expect(try ProjectFiles.read("docs/netdash.1").replacing("\\-", with: "-").contains(name))
    }
}
