/// The form that adds transfers: what was typed so far, and where the focus is.
struct AddForm: Sendable, Equatable {
    enum Field: Int, Sendable, CaseIterable {
        case url, kind, method, headers, body, name, checksum, startsPaused

        /// Its word in front of the field.
        func title(for kind: Job.Kind) -> SafeText {
            switch self {
            case .url: "URL"
            case .kind: "Kind"
            case .method: "Method"
            case .headers: "Headers"
            case .body: kind == .upload ? "File" : "Body"
            case .name: "Save as"
            case .checksum: "Checksum"
            case .startsPaused: "Options"
            }
        }
    }

    /// Why the form cannot be accepted, and which field is to blame.
    struct Problem: Error, Equatable {
        var field: Field
        var sentence: SafeText
    }

    var focus: Field = .url
    var kind: Job.Kind = .download
    var startsPaused = false
    /// Further URLs of a pasted list; they get the same settings.
    var furtherURLs: [String] = []
    var problem: SafeText?
    /// What the form was filled from, and how its fields said it: fields that were not touched keep it exactly.
    var origin: Origin?
    /// What is known of the place that the download will have.
    var lookup: Lookup?
    private var texts: [Field: TextField] = [:]

    /// A job, and the texts that stand for it in the fields.
    struct Origin: Sendable, Equatable {
        var job: Job
        var url: String
        var headers: String
        var body: String
        var name: String
    }

    /// What a job has that the fields do not tell.
    let defaults: Job

    /// An empty form, but for what every job has, secrets hidden.
    init(defaults: Job = Job(kind: .download, url: "")) {
        self.init(editing: defaults, defaults: defaults)
    }

    /// A form that asks for a job, secrets hidden.
    init(editing job: Job, defaults: Job = Job(kind: .download, url: "")) {
        self.init(blank: defaults)
        fill(from: job)
    }

    private init(blank defaults: Job) {
        self.defaults = defaults
    }

    /// Forgets what was typed and where it came from.
    mutating func clear() { self = AddForm(blank: defaults) }

    /// The text of a field; fields without text have an empty one.
    subscript(field: Field) -> TextField {
        get { texts[field] ?? TextField() }
        set { texts[field] = newValue }
    }

    /// The fields that make sense for the kind.
    var fields: [Field] {
        switch kind {
        case .download: [.url, .kind, .method, .headers, .name, .checksum, .startsPaused]
        case .upload: [.url, .kind, .method, .headers, .body, .startsPaused]
        case .data: [.url, .kind, .method, .headers, .body, .startsPaused]
        }
    }

    /// Whether the focus is on a field that takes text.
    var focusTakesText: Bool {
        switch focus {
        case .url, .method, .headers, .body, .name, .checksum: true
        case .kind, .startsPaused: false
        }
    }

    /// Whether Tab completes paths in the field that has the focus.
    var focusTakesPath: Bool {
        switch focus {
        case .body: kind == .upload || self[.body].text.hasPrefix("@")
        case .name: true
        case .url, .kind, .method, .headers, .checksum, .startsPaused: false
        }
    }

    /// The path in the field that has the focus.
    var pathText: String {
        get { kind != .upload && focus == .body ? String(self[.body].text.dropFirst()) : self[focus].text }
        set { self[focus] = TextField(kind != .upload && focus == .body ? "@" + newValue : newValue) }
    }

    /// Moves the focus, round and round.
    mutating func moveFocus(by steps: Int) {
        let fields = self.fields
        let index = fields.firstIndex(of: focus) ?? 0
        focus = fields[((index + steps) % fields.count + fields.count) % fields.count]
    }

    /// Chooses the next or the previous kind.
    mutating func changeKind(by steps: Int) {
        let order: [Job.Kind] = [.download, .upload, .data]
        let index = order.firstIndex(of: kind) ?? 0
        kind = order[((index + steps) % order.count + order.count) % order.count]
        if !fields.contains(focus) { focus = .kind }
    }
}
