/// The digests of a request's body, which are computed before the body is sent.
extension Transfer {
    /// Whether the next request waits for a digest; then it is prepared again when that is known.
    func waitsForDigests() -> Bool {
        guard let fields = digestFields() else { return false }
        guard let content = UploadContent(of: request.body) else {
            // A file that cannot be read fails with its own reason.
            if case .file(let path) = request.body, !BodySpecification.isReadOnce(path) { return false }
            prepared(.failed(SessionError(.invalidRequest, BodyErrors.noDigest, failingURL: request.url)))
            return true
        }
        let digests = asking.digests(of: content)
        guard let subject = fields.subjects.first(where: { digests[$0] == nil }) else { return false }
        compute(subject, of: content)
        return true
    }

    /// Returns the digests of the next request as header fields.
    func knownDigestFields() -> HeaderFields {
        digestFields().map { $0.fields(asking.digests, own: request.headers) } ?? HeaderFields()
    }

    /// Returns what the next request's digests cover; nil without any.
    private func digestFields() -> DigestFields? {
        guard request.body != .none,
            let algorithm = core.options(of: request.sharedOptions)?.values.bodyDigest
        else { return nil }
        let length = UploadContent(of: request.body)?.length ?? 0
        guard let upload else { return DigestFields(algorithm: algorithm, piece: 0..<length, whole: 0..<length) }
        guard let piece = upload.machine.piece else { return nil }
        return DigestFields(
            algorithm: algorithm, piece: piece, whole: upload.machine.sendsContent ? 0..<length : nil)
    }

    private func compute(_ subject: BodyDigests.Subject, of content: UploadContent) {
        let (body, control, loop, id) = (request.body, control, core.loop, id)
        core.storage.submit(key: id) {
            let result: Result<[UInt8]?, SessionError>
            do throws(SessionError) {
                let found = try BodyDigest.of(subject.range, in: body, [subject.algorithm]) {
                    control.isWanted
                }
                result = .success(found?.first)
            } catch {
                result = .failure(error)
            }
            loop.run { $0.transfer(id)?.computed(result, subject, of: content) }
        }
    }

    private func computed(
        _ result: Result<[UInt8]?, SessionError>, _ subject: BodyDigests.Subject, of content: UploadContent
    ) {
        guard machine.state == .preparing else { return }
        switch result {
        case .failure(let error): prepared(.failed(error))
        case .success(let digest?):
            asking.digests(of: content)[subject] = digest
            prepareRequest()
        case .success(nil):
            // The caller's wish has changed; it is known here a moment later.
            reconcile()
            if machine.intent == .running { prepareRequest() } else { prepared(.ready) }
        }
    }
}
