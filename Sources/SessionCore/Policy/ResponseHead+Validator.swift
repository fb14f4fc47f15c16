extension ResponseHead {
    /// The validator with which an interrupted download of this response resumes, as it is sent in `If-Range`; nil
    /// where the response has no strong one.
    package var strongValidator: String? {
        FreshAnswer(request: TransferRequest(url: url), head: self, length: .untilClose).strongValidator?.text
    }
}
