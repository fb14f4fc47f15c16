import Dashboard
import Foundation
import SessionSupport

/// The options of a job as a saved session keeps them, in a text beside the request.
///
/// Of a secret only its mask is kept. A switch that turns checks off is not kept at all: what was accepted once is
/// asked for again.
struct SavedOptions: Equatable, Codable {
    /// The most bytes of options that are kept.
    static let byteLimit = 1 << 20

    private struct Entry: Equatable, Codable {
        var name: String
        var text: String
    }

    private var entries: [Entry]
    /// Whether the URL or the header fields had secrets, which are not kept either.
    private var hasOtherSecrets: Bool
    /// The user's mark.
    private(set) var tag: String?
    /// Whether the body had secrets and is not kept; nil where it had none, so that nothing is written for it.
    private var lacksBody: Bool?
    /// The limits of its own in bytes per second, 0 for none; nil where the run's holds.
    private var downloadLimit: Int64?
    private var uploadLimit: Int64?

    /// The options of a job; nil for a job without any.
    init?(_ job: Job) {
        lacksBody = job.body.holdsSecret ? true : nil
        guard !job.options.isEmpty || job.tag != nil || lacksBody != nil || job.rates != nil else { return nil }
        tag = job.tag
        downloadLimit = job.rates?.download.map { $0.rate ?? 0 }
        uploadLimit = job.rates?.upload.map { $0.rate ?? 0 }
        entries = job.options.filter { $0.option.memory != .none }
            .map { Entry(name: $0.option.name, text: $0.storableText) }
        hasOtherSecrets =
            Redaction.url(job.url, userInfo: .removed) != job.url
            || job.headers.contains { Redaction.hidesField($0.name) }
    }

    /// What ``text`` has written; nil for anything else.
    init?(text: String) {
        guard let read = try? JSONDecoder().decode(SavedOptions.self, from: Data(text.utf8)) else { return nil }
        self = read
    }

    /// The options as they are stored; nil where they cannot be.
    var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// The options, masks in the place of secrets; those that this version does not know are left out.
    var values: [JobOption.Value] {
        entries.compactMap { entry in JobOption.named(entry.name).map { JobOption.Value($0, entry.text) } }
    }

    /// The limits of its own; nil where the run's hold.
    var rates: TaskRates? {
        guard downloadLimit != nil || uploadLimit != nil else { return nil }
        func limit(_ stored: Int64?) -> OwnRate? { stored.map { OwnRate($0 > 0 ? $0 : nil) } }
        return TaskRates(download: limit(downloadLimit), upload: limit(uploadLimit))
    }

    /// The body as far as it is kept apart from the request: a mask for one that had secrets.
    var body: Job.Body? { lacksBody == true ? .masked : nil }

    /// Whether something is missing without which the request cannot be sent.
    var lacksSecrets: Bool {
        hasOtherSecrets || lacksBody == true || values.contains(where: \.isHidden) || values.count < entries.count
    }
}
