import SessionCore
import SessionHTTP
import SessionStubs

/// The names that examples of comments and rows of guides use without declaring them.
struct Surroundings {
    let manager: SessionManager
    let http: HTTPManager
    let server: StubServer
    let task: SessionTask
    let head: ResponseHead
    let resumeData: ResumeData
    let url: URL
    let file: URL
    let folder: String
    var request: TransferRequest
    var urlRequest: URLRequest
    var configuration: SessionConfiguration
    var options: RequestOptions
    var taskOptions: TaskOptions
    var policy: SecurityPolicy

    /// A use of a value that a row shows.
    func use<Value>(_: Value) {}
}
