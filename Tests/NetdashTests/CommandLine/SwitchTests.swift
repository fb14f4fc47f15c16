import Foundation
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// "no" in a place closer to the request undoes a "yes" of a farther one.
@Suite("Switches that are off")
struct SwitchTests {
    /// Version 1.2 of TLS is what a run requires that says nothing.
    private static let switches: [JobOption] = JobOption.table.filter { $0.isSwitch && $0.name != "tlsv1.2" }
    /// The switches that the configuration may have.
    private static let ofConfigurations: [JobOption] = switches.filter { $0.memory == .kept }

    private static func invocation(_ text: String, _ arguments: [String]) throws -> Invocation {
        try CommandLine.parse(arguments) { () throws(UsageError) in
            try ConfigurationParser.configuration(in: Array(text.utf8), name: "config", home: "/h")
        }.get()
    }

    /// What the options of a run and of its first task, or of its list's, say to the library.
    private static func terms(_ invocation: Invocation, list: String = "") throws -> RequestTerms {
        var job = invocation.jobs.first
        if job == nil {
            let read = try InputList(Array(list.utf8), name: "l", defaults: invocation.jobDefaults)
            job = JobList([], [read], rules: invocation.hostRules).next(1).first
        }
        var terms = try #require(job).options.terms
        terms.request = terms.request.completed(by: invocation.settings.options.terms.request)
        return terms
    }

    private static func isSame(_ left: RequestTerms, _ right: RequestTerms) -> Bool {
        String(reflecting: left) == String(reflecting: right)
    }

    /// What is sent where nothing says anything, and where the switch is off for itself.
    private static func isOff(_ terms: RequestTerms, _ option: JobOption) -> Bool {
        var off = RequestTerms()
        option.value(isOn: false).apply(to: &off)
        off.request = off.request.completed(by: RequestOptions())
        return isSame(terms, RequestTerms()) || isSame(terms, off)
    }

    @Test("The command line undoes the configuration, and a profile does", arguments: ofConfigurations)
    func configuration(option: JobOption) throws {
        let yes = "\(option.name) = yes"
        let given = try Self.invocation(yes, ["--\(option.name)=no", "http://h/f"])
        #expect(try Self.isOff(Self.terms(given), option))
        let text = "\(yes)\n[profile \"p\"]\n\(option.name) = no"
        let profile = try Self.invocation(text, ["--profile", "p", "http://h/f"])
        #expect(try Self.isOff(Self.terms(profile), option))
    }

    @Test("A section about hosts undoes the configuration, and the command line a section", arguments: ofConfigurations)
    func hosts(option: JobOption) throws {
        let section = "[host \"h\"]\n\(option.name) = "
        let undone = try Self.invocation("\(option.name) = yes\n\(section)no", ["http://h/f"])
        #expect(try Self.isOff(Self.terms(undone), option))
        let given = try Self.invocation(section + "yes", ["--\(option.name)=no", "http://h/f"])
        #expect(try Self.isOff(Self.terms(given), option))
    }

    @Test(
        "A list undoes the configuration, a section and the command line",
        arguments: switches.filter { $0.memory != .ofTask })
    func lists(option: JobOption) throws {
        let list = "http://h/f\n  \(option.name)=no\n"
        let given = try Self.invocation("", ["--\(option.name)", "-i", "l"])
        #expect(try Self.isOff(Self.terms(given, list: list), option))
        guard option.memory == .kept else { return }
        for text in ["\(option.name) = yes", "[host \"h\"]\n\(option.name) = yes"] {
            let configured = try Self.invocation(text, ["-i", "l"])
            #expect(try Self.isOff(Self.terms(configured, list: list), option), "\(text)")
        }
    }

    @Test("Not to follow redirects is to keep them, and the other way round")
    func redirects() throws {
        #expect(try Self.terms(Self.invocation("location = no", ["http://h/f"])).request.keepsRedirects)
        let section = "[host \"h\"]\nlocation = no"
        #expect(try Self.terms(Self.invocation(section, ["GET", "http://h/f"])).request.keepsRedirects)
        let list = "http://h/f\n  location=no\n"
        #expect(try Self.terms(Self.invocation("", ["-i", "l"]), list: list).request.keepsRedirects)
        let line = try OptionLine("location=no")
        #expect(line.options == [JobOption.Value(.keepsRedirects)])
        var job = Job(kind: .download, url: "http://h/f")
        line.set(on: &job, defaults: job)
        #expect(job.options.terms.request.keepsRedirects)
        let amendment = try JobAmendment("location=no", defaults: job)
        guard case .changed(let changed) = amendment.verdict(on: Job(kind: .data, url: "http://h")) else {
            Issue.record("unchanged")
            return
        }
        #expect(changed.options.terms.request.keepsRedirects)
        let both = try Self.invocation("no-location = yes", ["--no-location=no", "http://h/f"])
        #expect(try !Self.terms(both).request.keepsRedirects)
    }

    @Test("No file of passwords is read where a list says so, and one family of addresses excludes the other")
    func related() throws {
        let list = "http://h/f\n  netrc=no\n"
        #expect(try Self.terms(Self.invocation("", ["--netrc-file", "f", "-i", "l"]), list: list).netrc == nil)
        let other = "http://h/f\n  ipv4=no\n"
        let terms = try Self.terms(Self.invocation("", ["-6", "-i", "l"]), list: other)
        #expect(terms.request.addressFamily == .ipv6)
    }

    @Test(
        "The command line undoes every other switch of the configuration",
        arguments: CommandLineOption.allCases.filter { $0.valueName == nil && $0.isSetting && $0.job == nil })
    func program(option: CommandLineOption) throws {
        let given = try Self.invocation("\(option.longName) = yes", ["\(option.spelling)=no", "http://h/f"])
        let usual = try Self.invocation("", ["http://h/f"])
        let off = try Self.invocation("", ["\(option.spelling)=no", "http://h/f"])
        func text(_ invocation: Invocation) -> String {
            var invocation = invocation
            (invocation.settings.serviceArguments, invocation.settings.requestArguments) = ([], [])
            return String(reflecting: invocation)
        }
        #expect(text(given) == text(usual) || text(given) == text(off))
    }

    @Test("A switch of the program that is off leaves other options of its subject as they are")
    func others() throws {
        let saved = try Self.invocation("session = work", ["--plain", "--ephemeral=no", "http://h/f"])
        #expect(saved.settings.session == .named("work"))
        #expect(try Self.invocation("json = yes", ["--quiet=no", "http://h/f"]).output == .json)
        let profile = "session = work\n[profile \"p\"]\nephemeral = no"
        #expect(try Self.invocation(profile, ["--profile", "p", "http://h/f"]).settings.session == .named("work"))
    }

    @Test(
        "Of one command line the last word about a switch counts",
        arguments: CommandLineOption.allCases.filter { $0.valueName == nil && $0.isSetting && $0.job == nil })
    func last(option: CommandLineOption) throws {
        let off = try Self.invocation("", ["\(option.spelling)=no", "http://h/f"])
        let both = try Self.invocation("", [option.spelling, "\(option.spelling)=no", "http://h/f"])
        func text(_ invocation: Invocation) -> String {
            var invocation = invocation
            (invocation.settings.serviceArguments, invocation.settings.requestArguments) = ([], [])
            return String(reflecting: invocation)
        }
        #expect(text(both) == text(off))
    }

    @Test("A task keeps that a switch is off, and its line says it")
    func saved() throws {
        let value = JobOption.ipv6.value(isOn: false)
        let read = try JSONDecoder().decode(JobOption.Value.self, from: JSONEncoder().encode(value))
        #expect(read == value && read.isOff && read.line == "ipv6=no")
        #expect(![read].contains(.ipv6) && CurlOptions.words(of: [read]).isEmpty)
        #expect(try OptionLine("ipv6=no").options == [value])
        #expect(RunOptions(of: [JobOption.Value(.ipv6)]).completing([value]) == [value])
    }
}
