/// The limits of both directions in words.
enum RatesText {
    /// `down 2M, up off`.
    static func words(_ download: Int64?, _ upload: Int64?) -> SafeText {
        "down " + word(download) + ", up " + word(upload)
    }

    /// The same with their times.
    static func words(_ download: RateSchedule, _ upload: RateSchedule) -> SafeText {
        "down " + SafeText(untrusted: download.words) + ", up " + SafeText(untrusted: upload.words)
    }

    /// `down 2M, up as the others`.
    static func words(_ rates: TaskRates) -> SafeText {
        guard rates != TaskRates() else { return "as the others" }
        func own(_ rate: OwnRate?) -> SafeText { rate.map { word($0.rate) } ?? "as the others" }
        return "down " + own(rates.download) + ", up " + own(rates.upload)
    }

    /// `2M off`, the form in which they are typed.
    static func short(_ download: Int64?, _ upload: Int64?) -> SafeText { word(download) + " " + word(upload) }

    private static func word(_ rate: Int64?) -> SafeText { SafeText(untrusted: RateSchedule.words(of: rate)) }
}
