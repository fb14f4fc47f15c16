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

    /// The job, which has only its own settings, with the ones of a farther place that they leave.
    ///
    /// Values do not tell which place a setting is from: a closer place may repeat what a farther one says. A URL that
    /// is the farther job's decides nothing.
    package func over(_ usual: Job) -> Job {
        var result = self
        let own = settings + [url == usual.url ? nil : settingOfURL].compactMap(\.self)
        guard !own.isEmpty else {
            (result.options, result.headers) = (usual.options, usual.headers)
            return result
        }
        func isLeft(_ far: RequestSetting) -> Bool { !own.contains { $0.displaces(far) } }
        // A switch of one task that is off has nothing more to undo.
        let lasting = options.filter { !$0.isOff || $0.option.memory != .ofTask }
        result.options = usual.options.filter { isLeft(.option($0)) } + lasting
        result.headers = HeaderFields(usual.headers.filter { isLeft(.field($0)) } + headers)
        return result
    }

    /// The job without any settings.
    package var bare: Job {
        var result = self
        (result.options, result.headers) = ([], HeaderFields())
        return result
    }

    /// The job without the credentials of a farther place, where its URL has its own.
    package func preferringURL(to usual: Job) -> Job {
        settingOfURL.map { own in without(usual.settings, where: own.displaces) } ?? self
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
