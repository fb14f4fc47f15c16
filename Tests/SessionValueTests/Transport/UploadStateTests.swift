import Testing

@testable import SessionCore

/// A resumable upload between its requests, without a server.
@Suite("State of an upload")
struct UploadStateTests {
    private func request(_ intent: UploadResumption, location: UploadLocation? = nil) -> TransferRequest {
        var request = TransferRequest(url: "http://host/files")
        request.method = "POST"
        request.uploadResumption = intent
        request.uploadLocation = location
        return request
    }

    private let content = UploadContent(length: 10, modified: 1)
    private let other = UploadContent(length: 11, modified: 2)

    @Test("Begins once for each content, and gives up what a server has of an earlier one")
    func beginning() throws {
        #expect(UploadState.begin(request(.off), content: content, after: nil)?.state == nil)
        #expect(UploadState.begin(request(.tus), content: nil, after: nil)?.state == nil)
        let first = try #require(UploadState.begin(request(.tus), content: content, after: nil))
        #expect(!first.restarts)
        #expect(UploadState.begin(request(.tus), content: content, after: first.state)?.state == nil)
        let second = try #require(UploadState.begin(request(.tus), content: other, after: first.state))
        #expect(!second.restarts, "no server has any of it")
        let location = UploadLocation(style: .tus, url: "http://host/files/1", content: content)
        let continued = try #require(UploadState.begin(request(.tus, location: location), content: content, after: nil))
        #expect(!continued.restarts && continued.state.machine.location == location)
        let changed = try #require(UploadState.begin(request(.tus, location: location), content: other, after: nil))
        #expect(changed.restarts && changed.state.machine.location == nil)
    }

    @Test("A new URL is told once")
    func locations() throws {
        let state = try #require(UploadState.begin(request(.tus), content: content, after: nil)).state
        #expect(state.nextRequest().method == "POST")
        #expect(state.takeNewLocation() == nil)
        _ = state.judge(.given(201, ["Location": "/files/1"], url: "http://host/files"))
        #expect(state.takeNewLocation()??.url == "http://host/files/1")
        #expect(state.takeNewLocation() == nil)
    }

    @Test("An upload to its own URL is told before the first byte is sent")
    func ownURL() throws {
        let state = try #require(UploadState.begin(request(.contentRange), content: content, after: nil)).state
        let location = UploadLocation(style: .contentRange, url: "http://host/files", content: content)
        #expect(state.takeNewLocation() == .some(location))
        #expect(state.takeNewLocation() == nil)
        let later = try #require(
            UploadState.begin(request(.contentRange, location: location), content: content, after: nil))
        #expect(!later.restarts && later.state.takeNewLocation() == nil)
        let changed = try #require(
            UploadState.begin(request(.contentRange, location: location), content: other, after: nil))
        #expect(changed.restarts && changed.state.takeNewLocation()??.content == content, "until they are given up")
        let kept = ResponseHead.given(308, ["Range": "bytes=0-0"], url: "http://host/files")
        _ = changed.state.judge(kept)
        #expect(changed.state.takeNewLocation() == nil)
        _ = changed.state.judge(.given(308, [:], url: "http://host/files"))
        #expect(changed.state.takeNewLocation()??.content == other)
    }

    @Test(
        "A large file goes to a store in parts where that is asked for, or where its request is signed for one",
        arguments: [
            (UploadResumption.multipart, "s3", 17, true), (.multipart, nil, 17, true), (.multipart, "s3", 16, false),
            (.automatic, "s3", 65, true), (.automatic, "s3", 64, false), (.automatic, "execute-api", 65, false),
            (.automatic, nil, 65, false), (.tus, "s3", 65, false),
        ] as [(UploadResumption, String?, Int64, Bool)])
    func parts(intent: UploadResumption, service: String?, mebibytes: Int64, isInParts: Bool) {
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "a", password: "b")
        if let service { options.signing = RequestSigning(region: "r", service: service) }
        let content = UploadContent(length: mebibytes << 20, modified: 1)
        let begun = UploadState.begin(request(intent), content: content, after: nil, options: options)
        #expect((begun?.state.machine is MultipartUpload) == isInParts)
    }

    @Test("A limit of the largest number for one request is none, also behind the first byte")
    func limits() {
        var upload = ResumableUpload(UploadPlan(.draft), content: content, to: "http://host/files")
        for (limit, end) in [(Int64.max, 10), (7, 10), (6, 10), (5, 9), (nil, 10)] as [(Int64?, Int64)] {
            (upload.step, upload.appendLimit) = (.append(4), limit)
            #expect(upload.piece == 4..<end, "\(limit ?? 0)")
        }
    }

    @Test("An interim response is heard once, and one that contradicts it ends the attempt")
    func interim() throws {
        let state = try #require(UploadState.begin(request(.draft), content: content, after: nil)).state
        _ = state.nextRequest()
        func head(_ path: String) -> ResponseHead {
            .given(
                104, ["Upload-Draft-Interop-Version": ResumableUpload.interopVersion, "Location": path],
                url: "http://host/files")
        }
        let isHeard = state.hear([head("/a")])
        #expect(isHeard && state.machine.location?.url == "http://host/a")
        let isRepeated = state.hear([head("/b")])
        #expect(isRepeated, "its number says that it was heard")
        let isContradicted = !state.hear([head("/a"), head("/b")])
        #expect(isContradicted)
    }

    @Test("What the upload concludes becomes the next step")
    func steps() {
        let error = SessionError(.http, "")
        #expect(UploadState.step(after: .answer) == .uploadStep(restarts: nil))
        #expect(UploadState.step(after: .next) == .uploadStep(restarts: nil))
        #expect(UploadState.step(after: .readBody) == .uploadAnswer)
        #expect(UploadState.step(after: .restartFromZero(reason: "r")) == .uploadStep(restarts: "r"))
        #expect(UploadState.step(after: .later(error)) == .retry(error, afterMilliseconds: nil))
        let later = UploadState.step(after: .later(error), askedWait: 2_000)
        #expect(later == .retry(error, afterMilliseconds: 2_000))
        #expect(UploadState.step(after: .fail(error)) == .fail(error))
    }
}
