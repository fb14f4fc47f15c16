@testable import Dashboard

extension Model {
    /// The dashboard of 100 by 30 cells a second after its start, with some rows.
    static func showing(_ rows: [RowSnapshot]) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 100, rows: 30)))
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(rows))
        return model
    }
}
