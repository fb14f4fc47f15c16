import CCurl

/// Authentication of a connection.
extension EasyHandle {
    /// Has libcurl show a user name and password by NTLM.
    func answerChallenges(with credentials: RequestCredentials) throws(SessionError) {
        let result = cc_set_ntlm(raw, credentials.user, credentials.password)
        guard result == CURLE_OK else {
            throw SessionError(.invalidRequest, RequestErrors.noNTLM, curlCode: Int(result.rawValue))
        }
    }
}
