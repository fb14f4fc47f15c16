import Dashboard

/// What the user's configuration file says, each value with the place it was read from.
struct Configuration: Sendable, Equatable {
    /// An option of the command line.
    struct Setting: Sendable, Equatable {
        var option: CommandLineOption
        /// Empty for an option without a value.
        var value: String
        /// What messages call it, such as `/home/me/.config/netdash/config:3: fps`.
        var label: String
    }

    /// Options in the order of their lines.
    var settings: [Setting] = []
    /// The key table with the user's changes; nil without any, because most runs need no keys, and making the table takes a
    /// millisecond.
    var changedKeys: KeyBindings?
    /// What has no option on the command line.
    var looks = DashboardLooks()

    /// Which key does what.
    var keys: KeyBindings { changedKeys ?? .standard }

    /// The settings that hold when the command line says something of its own about some subjects.
    func settings(without given: Set<CommandLineOption>) -> [Setting] {
        settings.filter { !given.contains($0.option.subject) }
    }

    /// Throws when settings are wrong in themselves, those too that the command line is going to replace.
    func check() throws(UsageError) {
        var options = OptionValues()
        try options.apply(settings)
    }
}
