/// What a client of aria2's interface has given a task and netdash has no other place for.
package struct AriaTerms: Sendable, Equatable, Codable {
    /// The GID that the client has chosen, as 16 hexadecimal digits; nil where the task's own counts.
    package var gid: String?
    /// The options without a meaning here, which are told again; never secrets.
    package var options: [String: String]

    package init(gid: String? = nil, options: [String: String] = [:]) {
        (self.gid, self.options) = (gid, options)
    }
}
