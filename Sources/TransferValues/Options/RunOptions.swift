/// The options that a command line gives for all requests of its run.
///
/// Each of its tasks has them like options of its own, so that they also hold in a service, and when the task goes on
/// in a later run.
package struct RunOptions: Sendable, Equatable {
    /// With the ones of the configuration that mean something only together with them.
    package let values: [JobOption.Value]

    /// - Parameters:
    ///   - all: the options of the run.
    ///   - usual: the ones among them that every run has.
    package init(of all: [JobOption.Value] = [], beside usual: [JobOption.Value] = []) {
        let given = all.filter { !usual.contains($0) }
        values = all.filter { value in
            given.contains { $0 == value || $0.option.belongsTogether(with: value.option) }
        }
    }

    /// A task's options with the ones of the run that they leave open.
    package func completing(_ options: [JobOption.Value]) -> [JobOption.Value] {
        let open = values.filter { value in !options.contains { $0.settles(value) } }
        return open.isEmpty ? options : open + options
    }

    /// The options of a task of an earlier run, which these replace.
    ///
    /// Options that these do not concern stay, and the run's own apply to what is open.
    package func replacing(_ options: [JobOption.Value]) -> [JobOption.Value] {
        let earlier = options.filter { own in values.contains { $0.option.belongsTogether(with: own.option) } }
        guard !earlier.isEmpty else { return options }
        let new = values.filter { value in earlier.contains { $0.option.belongsTogether(with: value.option) } }
        return new + options.filter { !earlier.contains($0) }
    }
}

extension JobOption.Value {
    /// Whether a task with this option does not take another one from its run.
    ///
    /// The places that connections lead to belong together.
    fileprivate func settles(_ other: JobOption.Value) -> Bool {
        let connections: Set<JobOption> = [.resolve, .connectTo]
        return RequestSetting.option(self).replaces(.option(other))
            || connections.contains(option) && connections.contains(other.option)
    }
}
