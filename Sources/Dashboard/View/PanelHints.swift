/// The hints in the lower edge of a panel: whole ones are dropped where room is short, never those that lead out.
struct PanelHints {
    /// A key and what it does.
    struct Item {
        var text: SafeText
        /// How early it is dropped, 0 being never.
        var rank: Int
    }

    var items: [Item]

    /// All of them.
    var text: SafeText { items.map(\.text).joined(by: "  ") }

    /// Those that fit into so many cells.
    func fitting(_ limit: Int, in canvas: Canvas) -> SafeText {
        var rest = self
        while canvas.width(rest.text) > limit, let worst = rest.items.map(\.rank).max(), worst > 0,
            let index = rest.items.lastIndex(where: { $0.rank == worst })
        {
            rest.items.remove(at: index)
        }
        return rest.text
    }
}
