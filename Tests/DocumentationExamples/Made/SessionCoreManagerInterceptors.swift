// swift-format-ignore-file
// Made of Sources/SessionCore/Manager/Interceptors; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfRequestInterceptor() async throws {
        struct Language: RequestInterceptor {
            func adapt(_ request: TransferRequest, attempt: Int) async throws -> TransferRequest {
                var request = request
                request.headers["Accept-Language"] = "nb"
                return request
            }
        }
        manager.interceptors = [Language()]
    }
    mutating func exampleOfRetryDecision() async throws {
        manager.interceptors = [ClosureInterceptor(decide: { $0.head?.statusCode == 503 ? .retry(afterSeconds: 5) : .undecided })]
    }
    mutating func exampleOfFailedRequest() async throws {
        manager.interceptors = [ClosureInterceptor(decide: { $0.attempt < 3 ? .retry() : .giveUp })]
    }
    mutating func exampleOfClosureInterceptor() async throws {
        manager.interceptors.append(ClosureInterceptor(decide: { $0.attempt < 3 ? .retry() : .undecided }))
    }
    mutating func exampleOfRequestRetrier() async throws {
        manager.interceptors.append(RequestRetrier(maximumRetries: 3, firstDelay: 0.5))
    }
    mutating func exampleOfTokenInterceptor() async throws {
        manager.interceptors.append(TokenInterceptor(hosts: ["api.example.org"]) { refused in refused == nil ? "first" : "next" })
    }
}
