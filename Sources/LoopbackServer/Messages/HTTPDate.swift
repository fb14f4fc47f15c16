import Glibc
import SessionSupport

/// A point in time as HTTP writes it, to the second (RFC 9110, 5.6.7).
struct HTTPDate: Sendable, Equatable, Comparable {
    let secondsSince1970: Int

    init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// The time now.
    static var now: HTTPDate { HTTPDate(secondsSince1970: time(nil)) }

    static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    /// Reads the preferred form only ("Sun, 06 Nov 1994 08:49:37 GMT"): all that this server ever gave out.
    init?(_ text: String) {
        let parts = text.utf8.split(whereSeparator: { $0 == ASCII.space || $0 == ASCII.colon })
        guard text.utf8.count == 29, parts.count == 8, String(parts[7]) == "GMT",
            let day = ByteText.decimal(bytes: parts[1]), let month = Self.months.firstIndex(of: String(parts[2]) ?? ""),
            let year = ByteText.decimal(bytes: parts[3]), let hour = ByteText.decimal(bytes: parts[4]),
            let minute = ByteText.decimal(bytes: parts[5]), let second = ByteText.decimal(bytes: parts[6]),
            year <= 9999, [day, hour, minute, second].allSatisfy({ $0 <= 99 })
        else { return nil }
        var broken = tm()
        broken.tm_year = Int32(year - 1900)
        broken.tm_mon = Int32(month)
        broken.tm_mday = Int32(day)
        broken.tm_hour = Int32(hour)
        broken.tm_min = Int32(minute)
        broken.tm_sec = Int32(second)
        secondsSince1970 = timegm(&broken)
    }

    /// The preferred form.
    var text: String {
        var seconds = secondsSince1970
        var broken = tm()
        guard gmtime_r(&seconds, &broken) != nil else { return "Thu, 01 Jan 1970 00:00:00 GMT" }
        let day = Self.days[Int(broken.tm_wday)]
        let month = Self.months[Int(broken.tm_mon)]
        let time = [broken.tm_hour, broken.tm_min, broken.tm_sec].map { Self.padded(Int($0), 2) }
        let date = "\(Self.padded(Int(broken.tm_mday), 2)) \(month) \(Self.padded(1900 + Int(broken.tm_year), 4))"
        return "\(day), \(date) \(time.joined(separator: ":")) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
