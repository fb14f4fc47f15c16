public import Foundation

/// Checks status code and content type and hands over the body as `Data`, also when the check fails.
public struct HTTPResponseSerializer: ResponseSerializer {
    /// What is accepted.
    public var validation: ResponseValidation

    /// Accepts 2xx and every content type unless told otherwise.
    public init(validation: ResponseValidation = ResponseValidation()) {
        self.validation = validation
    }

    /// The body, with the error of the validation.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        SerializedResponse(object: data, error: validation.validate(head, data).error)
    }

    /// Up to 64 KiB: the bytes are only wrapped.
    public func isQuick(byteCount: Int) -> Bool { byteCount <= 64 << 10 }
}
