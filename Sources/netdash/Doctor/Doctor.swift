import Dashboard
import Glibc
import ServiceWire
import SessionSupport
import TransferService

/// Checks everything that transfers depend on, and reports each problem and its repair.
///
/// It changes nothing, and sends requests only to named servers.
struct Doctor {
    let invocation: Invocation
    let environment: [String: String]

    /// The findings about this machine.
    func machine() -> [Finding] {
        let library = LibraryInfo.current()
        let settings = invocation.settings
        return [
            Finding(topic: "program", fact: program),
            MachineChecks.libraries(library.versions + [TerminalSurvey.library], missing: library.missing),
            terminal,
        ] + MachineChecks.characters(isUTF8: TerminalLocale.establish(), locale: locale)
            + [
                authorities(library),
                TransportChecks.secure(terms),
                secureHosts,
                TransportChecks.ntlm(isSupported: LibraryInfo.hasNTLM),
                MachineChecks.proxies(
                    environment: environment, problem: LibraryInfo.proxyProblem(environment: environment)),
                MachineChecks.names(Self.text(of: "/etc/resolv.conf")),
                TransportChecks.nameService(terms.request.transport),
                marking,
                MachineChecks.route(library.route),
                MachineChecks.clock(Timestamp.now().secondsRoundedDown, isKept: MachineInfo.clockIsKept),
                disk(settings.directory ?? "."),
                MachineChecks.descriptors(MachineInfo.descriptorLimit, concurrent: settings.maximumConcurrent),
                MachineChecks.jq(path: InstalledProgram.path(of: "jq", environment: environment)),
                configuration,
                sessions,
                service,
            ].compactMap(\.self)
    }

    /// Tells the findings about each named server as they come, because a trial of its speed takes seconds.
    ///
    /// `tell` returns false when the output is closed.
    func servers(_ tell: ([Finding]) -> Bool) {
        for job in invocation.jobs {
            let report = ServerReport.ask(job, settings: invocation.settings)
            let findings = ServerChecks.findings(report, now: Timestamp.now().secondsRoundedDown)
            guard tell(StatusChecks.judged(findings, report)) else { return }
            guard StatusChecks.isWorthTrying(report),
                let trial = ServerTrial(job, settings: invocation.settings.forService)
            else { continue }
            guard ServerSurvey(trial: trial).run(tell) else { return }
        }
    }

    // MARK: - Facts

    private var program: SafeText {
        let version = SafeText(untrusted: Product.version)
        return Self.system.map { DoctorFindings.program(version, on: SafeText(untrusted: $0)) }
            ?? DoctorFindings.program(version)
    }

    private static var system: String? {
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        func text<Bytes>(_ bytes: Bytes) -> String {
            withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return [text(names.sysname), text(names.release), text(names.machine)].joined(separator: " ")
    }

    private var terminal: Finding {
        guard isatty(STDOUT_FILENO) == 1 else { return MachineChecks.terminal(type: nil, size: nil, problem: nil) }
        let type = environment["TERM"]
        let survey = TerminalSurvey.look(type: type)
        return MachineChecks.terminal(type: type, size: survey.size, problem: survey.problem)
    }

    private var locale: String {
        ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    }

    /// The findings about certificate authorities; variables win in this order.
    private func authorities(_ library: LibraryInfo) -> Finding {
        let variable = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"].first { environment[$0]?.isEmpty == false }
        let named = variable.flatMap { environment[$0] }
        let isFolder = variable == "SSL_CERT_DIR"
        let file = named == nil ? library.authorityFile : isFolder ? nil : named
        let folder = named == nil ? library.authorityFolder : isFolder ? named : nil
        let count = file.flatMap { Self.text(of: $0) }.map { $0.ranges(of: "-----BEGIN").count }
        return MachineChecks.authorities(file: file, count: count, folder: folder, variable: variable)
    }

    private var terms: RequestTerms { invocation.settings.options.terms }

    private var secureHosts: Finding {
        guard let file = terms.secureHostsFile else {
            return TransportChecks.secureHosts(file: nil, counts: nil, problem: nil)
        }
        let now = Timestamp.now().secondsRoundedDown
        let counts = Self.text(of: file).map { LibraryInfo.secureHosts(in: $0, now: now) }
        return TransportChecks.secureHosts(
            file: file, counts: counts, problem: LocalEndpoints.problem(withNewFile: file))
    }

    private var marking: Finding {
        let marking = terms.request.transport.marking
        return TransportChecks.marking(
            marking, isAllowed: marking.priority.map { LocalEndpoints.allows(priority: $0) } ?? true)
    }

    private func disk(_ folder: String) -> Finding {
        var problem = access(folder, F_OK) == 0 ? MachineInfo.problem(withFolder: folder) : nil
        if !folder.hasPrefix("/"), let lack = Self.lackOfPath { problem = ProgramErrors.currentFolder(lack) }
        return MachineChecks.disk(folder, problem: problem, free: MachineInfo.freeBytes(of: folder))
    }

    /// Why no path leads to the current folder; nil where one does.
    private static var lackOfPath: CurrentFolder.Problem? {
        do throws(CurrentFolder.Problem) {
            _ = try CurrentFolder.path()
            return nil
        } catch {
            return error
        }
    }

    private var configuration: Finding {
        let path = ConfigurationFile.path(environment: environment)
        let exists = path.map { access($0, F_OK) == 0 } ?? false
        do throws(UsageError) {
            let warning = try ConfigurationFile.read(environment: environment).warning
            return MachineChecks.configuration(path: path, exists: exists, problem: nil, warning: warning)
        } catch {
            return MachineChecks.configuration(path: path, exists: exists, problem: error.message)
        }
    }

    private var sessions: Finding? {
        let folder = UserFolder.sessions(environment: environment)
        let problem = folder.flatMap { MachineInfo.problem(withPrivateFolder: $0) }
        let count = folder.map { MachineInfo.names(in: $0).count { $0.hasSuffix(".sqlite") } } ?? 0
        return MachineChecks.sessions(folder: folder, problem: problem, count: count)
    }

    private var service: Finding? {
        guard let session = invocation.settings.session.nameForDashboard ?? SessionChoice.automatic.nameForDashboard,
            let socket = SessionSocket.of(session)
        else { return nil }
        let places = (environment["HOME"].map { [$0 + "/.config/systemd/user"] } ?? []) + ["/etc/systemd/user"]
        let isEnabled = places.contains { access($0 + "/sockets.target.wants/netdash.socket", F_OK) == 0 }
        let user = getpwuid(getuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } } ?? ""
        return ServiceChecks.service(
            problem: socket.problem?.sentence, isRunning: socket.isListening,
            unit: isEnabled ? .enabled(lingers: access("/var/lib/systemd/linger/" + user, F_OK) == 0) : .none,
            user: user)
    }

    /// The first four megabytes of a text file; nil when it cannot be read.
    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < 4 << 20 {
            guard let piece = try? Descriptor.read(descriptor, limit: 256 << 10) else { return nil }
            if piece.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
