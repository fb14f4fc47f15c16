import SessionSupport
import TransferValues

/// A job while aria2's options are applied to it: some of them are halves of one setting here.
struct AriaDraft {
    /// The halves of credentials, which aria2 has in two options; an empty one was not given.
    private struct Pair {
        var name = ""
        var password = ""

        /// This pair with the halves of an earlier one in place of its missing ones.
        func completed(by earlier: String?) throws(OptionProblem) -> Pair {
            guard let earlier, name.isEmpty != password.isEmpty else { return self }
            // A reference is neither half, and a client learns nothing of what it names.
            guard !SecretText(earlier).isReference, let colon = earlier.firstIndex(of: ":") else {
                throw OptionProblem(AriaErrors.illegalArgument)
            }
            return name.isEmpty
                ? Pair(name: String(earlier[..<colon]), password: password)
                : Pair(name: name, password: String(earlier[earlier.index(after: colon)...]))
        }
    }

    var job: Job
    private var pairs: [JobOption: Pair] = [:]
    private var mostConnections: Int?
    /// What a farther place says, of which a closer one leaves nothing beside its own credentials or proxy.
    private var farther: (job: Job, pairs: [JobOption: Pair])
    /// Whether the job's URL is of the closer place too, as in a call that adds it.
    private var countsURL = false

    init(_ job: Job) {
        self.job = job
        farther = (job, [:])
    }

    /// Begins the options of a closer place.
    mutating func beginCloserPlace() { (farther, pairs, countsURL) = ((job, pairs), [:], true) }

    mutating func set(_ option: JobOption, _ text: String) throws(OptionProblem) {
        guard !text.isEmpty else { return job.options.removeAll { $0.option == option } }
        let value = try JobOption.Value(checking: option, text)
        // A client may not read the variables and the files of the service, nor run a command.
        guard value.reference == nil else { throw OptionProblem(AriaErrors.illegalArgument) }
        // What is set so already is none of this place's news.
        if !job.options.contains(value) { job.options.set(value) }
    }

    mutating func set(_ option: JobOption, isOn: Bool) throws(OptionProblem) {
        guard isOn else { return job.options.removeAll { $0.option == option } }
        let value = try JobOption.Value(checking: option, "")
        if !job.options.contains(value) { job.options.set(value) }
    }

    mutating func setName(_ name: String, of option: JobOption) throws(OptionProblem) {
        pairs[option, default: Pair()].name = try Self.literal(name)
    }

    mutating func setPassword(_ text: String, of option: JobOption) throws(OptionProblem) {
        pairs[option, default: Pair()].password = try Self.literal(text)
    }

    /// Half of a pair that names nothing to read; the pair is checked again as a whole.
    private static func literal(_ text: String) throws(OptionProblem) -> String {
        guard !SecretText(text).isReference else { throw OptionProblem(AriaErrors.illegalArgument) }
        return text
    }

    /// The lowest of several limits counts.
    mutating func limitConnections(_ count: Int) {
        let count = min(max(count, 1), Segmentation.largestCount)
        mostConnections = min(count, mostConnections ?? count)
    }

    /// Notes an option that has no meaning here.
    mutating func keep(_ name: String, _ value: String) { change { $0.options[name] = value } }

    mutating func choose(_ gid: GID) { change { $0.gid = gid.description } }

    private mutating func change(_ body: (inout AriaTerms) -> Void) {
        var terms = job.aria ?? AriaTerms()
        body(&terms)
        job.aria = terms
    }

    /// Sets the record with a name of aria2: a key of jobs or an option of requests.
    mutating func setSame(_ name: String, _ text: String) throws(OptionProblem) {
        if let key = JobKey.allCases.first(where: { $0.ariaNames.contains(name) }) {
            return try key.reading(text)(&job)
        }
        guard let option = JobOption.allCases.first(where: { $0.ariaNames.contains(name) }) else { return }
        guard text.contains(Redaction.mask) else { return try set(option, text) }
        // A client sends back an address that it got without its password.
        let known = job.options.text(of: option).flatMap { Redaction.restored(text, from: $0) }
        try set(option, known ?? Redaction.url(text, userInfo: .removed))
    }

    /// The job with the settings that needed several options.
    mutating func finish() throws(OptionProblem) -> Job {
        removeDisplaced()
        try completePairs()
        for (option, pair) in pairs {
            let pair = try pair.completed(by: job.options.text(of: option))
            if !pair.name.isEmpty { try set(option, pair.name + ":" + pair.password) }
        }
        if let mostConnections { try set(.connections, String(mostConnections)) }
        removeDisplaced()
        return job
    }

    /// Removes what the farther place says and the closer one displaces.
    ///
    /// The options of the closer place stand behind the others: what is set so already is not set again. A list of
    /// fields replaces the one before it.
    private mutating func removeDisplaced() {
        let own = ownSettings
        guard !own.isEmpty else { return }
        let count = own.count { if case .option = $0 { true } else { false } }
        let others = job.options.dropLast(count).filter { far in !own.contains { $0.displaces(.option(far)) } }
        job.options = others + job.options.suffix(count)
        guard job.headers == farther.job.headers else { return }
        job.headers = HeaderFields(job.headers.filter { far in !own.contains { $0.displaces(.field(far)) } })
    }

    /// What the closer place says.
    private var ownSettings: [RequestSetting] {
        job.ownSettings(beside: farther.job) + [countsURL ? job.settingOfURL : nil].compactMap(\.self)
    }

    /// Adds the pairs of the farther place, except a password for another proxy than the closer place's.
    private mutating func completePairs() throws(OptionProblem) {
        let own = ownSettings
        for (option, pair) in farther.pairs {
            let whole = RequestSetting.option(try JobOption.Value(checking: option, "name:password"))
            guard !own.contains(where: { $0.displaces(whole) }) else { continue }
            let closer = pairs[option] ?? Pair()
            pairs[option] = Pair(
                name: closer.name.isEmpty ? pair.name : closer.name,
                password: closer.password.isEmpty ? pair.password : closer.password)
        }
    }
}
