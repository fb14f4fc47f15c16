import CCurl

/// The body an attempt sends: what its peer has received of it.
extension Attempt {
    /// Whether the peer has acknowledged the request's full body, as far as this machine's kernel knows.
    var hasGivenAll: Bool {
        guard source != nil, isRequestOut else { return false }
        return answerAwaitedSince != nil || isAnswered || owner.bytesInFlight(for: self) == 0
    }

    /// Whether the peer had received the full body when the connection that libcurl sent it on ended.
    ///
    /// By the time libcurl asks for the body again, it has reset its own figures and may have made another connection,
    /// which ``hasGivenAll`` would judge instead. Bytes that libcurl had read but not sent count as received: an
    /// unneeded error is better than a duplicate request. A connection that is still open has only refused this
    /// request.
    var hadGivenAll: Bool {
        guard isBodyOut, !isAnswered else { return false }
        if answerAwaitedSince != nil { return true }
        if let lostBytes { return lostBytes == 0 }
        return socket == nil && owner.bytesInFlight(for: self) == 0
    }
}
