/// The form that adds or changes transfers: its text, and its focus.
package struct AddForm: Sendable, Equatable {
    package enum Field: Int, Sendable, CaseIterable {
        case url, kind, method, headers, body, name, checksum, continues, startsPaused, options
        case add, addAnother, cancel

        package static let buttons: [Field] = [.add, .addAnother, .cancel]

    }

    /// The reason why the form cannot be accepted, and the wrong field.
    struct Problem: Error, Equatable {
        package var field: Field
        package var sentence: SafeText
    }

    package var focus: Field = .url
    package var kind: Job.Kind = .download
    package var startsPaused = false
    /// Whether a download continues a matching partial file of an earlier run, as `--continue` does on the command
    /// line.
    package var continues = true
    /// Further URLs of a pasted list; they get the same settings.
    package var furtherURLs: [String] = []
    package var problem: SafeText?
    /// The field that the problem is about; nil for the form itself.
    package var problemField: Field?
    /// What was told of the text pasted last, such as what was left out of it.
    var pasteHint: SafeText?
    /// The name of the task added last, if the form stayed open for another.
    package var added: SafeText?
    /// The job that filled the form, with its texts; untouched fields keep its exact values.
    var origin: Origin?
    /// The transfer to change; nil while transfers are added.
    package private(set) var editedID: UInt64?
    /// Whether that transfer has not ended, so that saving stops it first.
    var editsActiveTask = false
    var lookup: Lookup?
    private var texts: [Field: TextField] = [:]

    /// A job with its texts in the fields.
    struct Origin: Sendable, Equatable {
        var job: Job
        var url: String
        var headers: String
        var options: String
        var body: String
        var name: String
    }

    /// The job that supplies what has no field.
    let defaults: Job

    /// An empty form with the defaults of every job, secrets hidden.
    init(defaults: Job = Job(kind: .download, url: "")) {
        self.init(blank: defaults)
        fill(from: defaults)
    }

    /// A form filled from a transfer's job, secrets hidden; with an id it changes that transfer.
    init(editing job: Job, of id: UInt64? = nil, defaults: Job = Job(kind: .download, url: "")) {
        self.init(blank: defaults)
        fill(from: job, showingFolder: true)
        editedID = id
    }

    private init(blank defaults: Job) {
        self.defaults = defaults
        continues = defaults.continues
    }

    /// Clears the fields and the job they came from.
    mutating func clear() {
        let (id, isInProgress) = (editedID, editsActiveTask)
        self = AddForm(blank: defaults)
        (editedID, editsActiveTask) = (id, isInProgress)
    }

    /// The label of a field or button.
    package func title(of field: Field) -> SafeText {
        switch field {
        case .url: FormLabels.url
        case .kind: FormLabels.kind
        case .method: FormLabels.method
        case .headers: FormLabels.headers
        case .options: FormLabels.extra
        case .body: kind == .upload ? FormLabels.file : FormLabels.body
        case .name: FormLabels.name
        case .checksum: FormLabels.checksum
        case .continues, .startsPaused: FormLabels.options
        case .add: editedID == nil ? FormButtons.add : FormButtons.save
        case .addAnother: editedID == nil ? FormButtons.addAnother : FormButtons.addAsNew
        case .cancel: FormButtons.cancel
        }
    }

    /// The text of a field; empty for a field without text, such as a button.
    package subscript(field: Field) -> TextField {
        get { texts[field] ?? TextField() }
        set { texts[field] = newValue }
    }

    /// The focus order: the fields that apply to the kind, then the buttons.
    package var fields: [Field] {
        switch kind {
        case .download:
            [.url, .kind, .method, .headers, .name, .checksum, .continues, .startsPaused, .options] + Field.buttons
        case .upload, .data: [.url, .kind, .method, .headers, .body, .startsPaused, .options] + Field.buttons
        }
    }

    /// Fields side by side, among which `Left` and `Right` move the focus.
    private static let groups: [[Field]] = [[.continues, .startsPaused], Field.buttons]

    var focusTakesText: Bool {
        switch focus {
        case .url, .method, .headers, .options, .body, .name, .checksum: true
        case .kind, .continues, .startsPaused, .add, .addAnother, .cancel: false
        }
    }

    var focusTakesPath: Bool {
        switch focus {
        case .body: kind == .upload || self[.body].text.hasPrefix("@")
        case .name: true
        case .url: AddForm.isPath(self[.url].text)
        case .kind, .method, .headers, .options, .checksum, .continues, .startsPaused, .add, .addAnother, .cancel:
            false
        }
    }

    /// Whether Tab completes the focused field; it skips a field the user has not changed.
    var completesPath: Bool {
        guard focusTakesPath, !pathText.isEmpty else { return false }
        return focus == .url || self[focus].text != (focus == .name ? origin?.name : origin?.body)
    }

    var pathText: String {
        get { kind != .upload && focus == .body ? String(self[.body].text.dropFirst()) : self[focus].text }
        set { self[focus] = TextField(kind != .upload && focus == .body ? "@" + newValue : newValue) }
    }

    /// Moves the focus, wrapping around.
    mutating func moveFocus(by steps: Int) {
        let fields = self.fields
        let index = fields.firstIndex(of: focus) ?? 0
        focus = fields[((index + steps) % fields.count + fields.count) % fields.count]
    }

    /// Chooses the next or previous kind, or moves the focus to the field beside it.
    mutating func moveSideways(by steps: Int) {
        if focus == .kind { return changeKind(by: steps) }
        guard let group = AddForm.groups.first(where: { $0.contains(focus) })?.filter(fields.contains),
            let index = group.firstIndex(of: focus)
        else { return }
        focus = group[min(max(index + steps, 0), group.count - 1)]
    }

    /// Changes a field with choices; returns false if the focused one has none.
    mutating func changeChoice() -> Bool {
        switch focus {
        case .kind: changeKind(by: 1)
        case .continues: continues.toggle()
        case .startsPaused: startsPaused.toggle()
        case .url, .method, .headers, .options, .body, .name, .checksum, .add, .addAnother, .cancel: return false
        }
        return true
    }

    private mutating func changeKind(by steps: Int) {
        let order: [Job.Kind] = [.download, .upload, .data]
        let index = order.firstIndex(of: kind) ?? 0
        kind = order[((index + steps) % order.count + order.count) % order.count]
        if !fields.contains(focus) { focus = .kind }
    }
}
