internal import FleetQueue
internal import SessionCore

extension JobFailure {
    /// What follows from a failed download.
    ///
    /// `size` is what the file needs at least, where that is known, and `hasFreed` whether its part has left the disk;
    /// `hasNetwork` says whether this machine is in any network.
    static func of(
        _ error: any Error, head: ResponseHead?, secrets: [String], below folder: WorkerFolder, size: Int64? = nil,
        hasFreed: Bool = false, hasNetwork: @autoclosure () -> Bool = MachineNetwork.isThere
    ) -> JobFailure {
        let text = text(of: error, secrets: secrets)
        guard let error = error as? SessionError else { return .again(JobCause(text)) }
        let cause = JobCause(text, kind: CauseFaults.kind(of: error.code))
        switch error.code {
        case .http, .authenticationRequired:
            return of(status: error.statusCode ?? head?.statusCode ?? 0, head: head)
        case .connectionRefused: return refused(cause, by: error.failingURL)
        // One host without a route says nothing about the others.
        case .networkUnreachable: return hasNetwork() ? refused(cause, by: error.failingURL) : .unable(cause)
        case .diskFull: return folder.isFull(for: size, error) ? .unable(cause) : .tooLarge(cause, hasFreed: hasFreed)
        // Where no name is left for a part, nothing that is open would end it.
        case .partInUse where error.partPath != nil: return .inUse(cause)
        case .sessionInvalidated, .internal: return .unable(cause)
        case .readOnly, .permission, .notFound, .storage: return folder.failure(of: error, cause)
        case .destinationIsFolder: return folder.isSpool ? .again(cause) : .final(cause)
        case .invalidURL, .unsupportedScheme, .invalidHeader, .invalidRequest, .destinationExists, .fileTooLarge,
            .bodyTooLarge, .tooManyRedirects, .redirectRefused:
            return .final(cause)
        default: return .again(cause)
        }
    }

    /// What follows from a refused connection: the host of the URL that failed is held, which a redirect may have named.
    private static func refused(_ cause: JobCause, by url: String?) -> JobFailure {
        guard let url else { return .refused(cause) }
        guard let address = try? JobAddress(url) else { return .again(cause) }
        return .refused(cause, host: address.host)
    }

    private static func of(status: Int, head: ResponseHead?) -> JobFailure {
        let cause = JobCause(TransferFaults.status(status))
        switch status {
        case 429, 503:
            // The host that answered is held, which a redirect may have named.
            guard let head else { return .hold(seconds: nil, cause) }
            guard let address = try? JobAddress(head.url) else { return .again(cause) }
            return .hold(seconds: RetryAfter.seconds(in: head), cause, host: address.host)
        case 408, 425, 500...599: return .again(cause)
        default: return .final(cause)
        }
    }

    /// The text of an error without secrets.
    static func text(of error: any Error, secrets: [String]) -> String {
        (error as? SessionError).map { masked($0.message, secrets) } ?? "\(type(of: error))"
    }

    private static func masked(_ text: String, _ secrets: [String]) -> String {
        secrets.filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: "***") }
    }
}

/// The wait that a response asks for.
enum RetryAfter {
    /// The seconds, also of a date, which counts from the response's own date: a worker's clock may be wrong.
    static func seconds(in head: ResponseHead?) -> Double? {
        guard let text = head?.headers["Retry-After"] else { return nil }
        if let seconds = UInt32(text) { return Double(min(seconds, 86_400)) }
        guard let end = moment(text), let start = head?.headers["Date"].flatMap(moment) else { return nil }
        return Double(min(max(0, end - start), 86_400))
    }

    /// The seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    static func moment(_ text: String) -> Int? {
        let words = text.split { " :,-".contains($0) }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 8, words[7] == "GMT", let month = months.firstIndex(of: String(words[2])),
            let day = Int(words[1]), let year = Int(words[3]), let hour = Int(words[4]), let minute = Int(words[5]),
            let second = Int(words[6]), (1970...9999).contains(year), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Days since 1970 in the calendar whose years begin in March, so that a leap day is a year's last one.
        let shifted = month < 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }
}
