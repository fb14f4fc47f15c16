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
    private var texts: [Field: TextField] = [:]

    init() {}

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
