"""tuspyserver behind uvicorn; prints each request with its offset.

    tus_server.py PORT FOLDER
"""

import sys

import fastapi
import tuspyserver
import uvicorn

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]


class Telling:
    """Prints what is asked, and what is answered."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        offset = dict(scope["headers"]).get(b"upload-offset", b"-").decode()

        async def tell(message):
            if message["type"] == "http.response.start":
                print(scope["method"], scope["path"], offset, message["status"], flush=True)
            await send(message)

        print("begins", scope["method"], scope["path"], offset, flush=True)
        await self.app(scope, receive, tell)


app = fastapi.FastAPI()
app.include_router(tuspyserver.create_tus_router(prefix="files", files_dir=FOLDER))
uvicorn.run(Telling(app), host="127.0.0.1", port=PORT, log_level="warning")
