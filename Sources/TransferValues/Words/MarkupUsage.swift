/// Errors in a document of XML.
package enum MarkupUsage {
    package static let noElement = "no element at the start"
    package static let afterRoot = "content after the outermost element"
    package static let tooMany = "too many elements"
    package static let tooDeep = "elements are nested too deep"
    package static let tag = "malformed tag"
    package static let noValue = "attribute without a value"
    package static let attributeTwice = "attribute given twice"
    package static let notClosed = "element is not closed"
    package static let end = "unexpected end"
    package static let definition = "definition inside an element"
    package static let noQuotes = "attribute value without quotes"
    package static let lessThan = "attribute value contains <"
    package static let ampersand = "& without an entity"
    package static let entity = "unknown entity"
    package static let documentType = "document types are not supported; remove it"
    package static let notUTF8 = "not UTF-8 text"
}
