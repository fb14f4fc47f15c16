/// Jobs whose settings come from several places, the closest of which counts.
extension Job {
    /// What it says about requests.
    package var settings: [RequestSetting] { options.map { .option($0) } + headers.map { .field($0) } }

    /// What it says beside a job of a farther place, whose settings it began with.
    ///
    /// A setting is replaced by removing it and adding another one at the end.
    package func ownSettings(beside usual: Job) -> [RequestSetting] {
        guard options != usual.options || headers != usual.headers else { return [] }
        let options = Self.own(options, beside: usual.options).map { RequestSetting.option($0) }
        // Fields of a file of requests stand before the ones of the command line.
        return options + headers.filter { !usual.headers.contains($0) }.map { .field($0) }
    }

    private static func own(
        _ values: [JobOption.Value], beside usual: [JobOption.Value]
    ) -> ArraySlice<JobOption.Value> {
        var rest = usual[...]
        for (index, value) in values.enumerated() {
            guard let place = rest.firstIndex(of: value) else { return values[index...] }
            rest = rest[(place + 1)...]
        }
        return []
    }

    /// The name and the password of its URL as a setting; nil without both.
    package var settingOfURL: RequestSetting? {
        RequestCredentials.named(in: url)?.password == nil ? nil : .userInfo
    }

    /// The job without what it has from a farther place and its own settings displace.
    package func closer(than usual: Job) -> Job {
        let own = ownSettings(beside: usual) + [settingOfURL].compactMap(\.self)
        return own.isEmpty ? self : without(usual.settings) { far in own.contains { $0.displaces(far) } }
    }

    /// The job without the settings among `inherited` that meet a condition.
    package func without(_ inherited: [RequestSetting], where isLeft: (RequestSetting) -> Bool) -> Job {
        let left = inherited.filter(isLeft)
        guard !left.isEmpty else { return self }
        var result = self
        result.options = options.filter { !left.contains(.option($0)) }
        result.headers.removeAll { left.contains(.field($0)) }
        return result
    }
}

extension RunOptions {
    /// A job with the options of its run that it leaves open.
    ///
    /// A second time changes nothing.
    package func completing(_ job: Job) -> Job {
        guard !values.isEmpty else { return job }
        var options = completing(job.options)
        // A header field is closer to the request than the option for it.
        options.removeAll { value in
            !job.options.contains(value) && job.headers.contains { RequestSetting.field($0).displaces(.option(value)) }
        }
        guard options != job.options else { return job }
        var result = job
        result.options = options
        return result
    }

    /// A job of an earlier run with these options instead of the ones that it had for the same.
    package func replacing(_ job: Job) -> Job {
        guard !values.isEmpty else { return job }
        var result = job
        result.options = replacing(job.options)
        return result
    }
}
