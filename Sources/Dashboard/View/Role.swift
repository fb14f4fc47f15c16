/// What a cell means.
///
/// The terminal decides how each role looks; views never name a colour.
package enum Role: UInt8, Sendable, CaseIterable {
    case plain, dim, title, header, columnHeader, tab, tabSelected, rule
    case rowSelected, rowMarked
    case stateRunning, stateRetrying, stateQueued, statePaused, stateVerifying
    case stateFailed, stateDone, stateCancelled
    case gaugeFill, gaugeEmpty
    case rateDown, rateUp
    case footerKey, footerText
    case toast, toastError
    case dialogBorder, dialogText, dialogButton, dialogButtonSelected
    case field, fieldSelected, filter, help, error
    case match, matchSelected
}
