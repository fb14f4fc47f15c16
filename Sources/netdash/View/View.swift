/// Draws the model at a size.
///
/// Pure, and defined for every size, 0 x 0 included.
func view(_ model: Model, size: Size, capabilities: ViewCapabilities) -> Surface {
    Surface(size: size)
}
