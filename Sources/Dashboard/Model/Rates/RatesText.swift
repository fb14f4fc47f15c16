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

    /// `2M off`, as they are typed.
    static func short(_ download: Int64?, _ upload: Int64?) -> SafeText { word(download) + " " + word(upload) }

    private static func word(_ rate: Int64?) -> SafeText { SafeText(untrusted: RateSchedule.words(of: rate)) }
}
