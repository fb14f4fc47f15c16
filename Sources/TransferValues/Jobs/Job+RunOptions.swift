extension RunOptions {
    /// A job with the options of its run that it leaves open.
    ///
    /// A second time changes nothing.
    package func completing(_ job: Job) -> Job {
        guard !values.isEmpty else { return job }
        var options = completing(job.options)
        // A header field is closer to the request than the option for it.
        if job.headers["User-Agent"] != nil, !job.options.contains(.userAgent) {
            options.removeAll { $0.option == .userAgent }
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

extension Job {
    /// Keeps the method after redirects, as curl's `-X` does with `-L`; an upload's body is dropped on 303 alone.
    package mutating func keepMethod() {
        let ofUpload: [JobOption] = kind == .upload ? [.repeatsPOST301, .repeatsPOST302] : []
        for option in [.keepsMethod] + ofUpload { options.set(JobOption.Value(option)) }
    }
}
