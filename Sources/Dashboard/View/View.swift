/// Draws the model at a size.
///
/// Pure, and defined for every size, 0 x 0 included.
package func view(_ model: Model, size: Size, capabilities: ViewCapabilities) -> Surface {
    var canvas = Canvas(size: size, capabilities: capabilities)
    if model.details.fullScreenID != nil, let row = model.current {
        DetailsScreen(model: model, row: row).draw(on: &canvas)
    } else {
        ListScreen(model: model, layout: ScreenLayout(size: size, pane: model.details.pane)).draw(on: &canvas)
    }
    OverlayView(model: model).draw(on: &canvas)
    return canvas.surface
}
