#!/usr/bin/env python3
"""Sends a set of requests to aria2c and writes its answers as a fixture."""
import base64, http.client, http.server, json, os, re, socket, subprocess, sys, tempfile, threading, time

class Files(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *a): pass
    def do_GET(self):
        if self.path.startswith('/missing'):
            self.send_response(404); self.send_header('Content-Length', '0'); self.end_headers(); return
        size = 3 << 20
        start = 0
        m = re.match(r'bytes=(\d+)-', self.headers.get('Range', '') or '')
        if m: start = int(m.group(1))
        self.send_response(206 if m else 200)
        self.send_header('Accept-Ranges', 'bytes')
        self.send_header('ETag', '"a"')
        if m: self.send_header('Content-Range', f'bytes {start}-{size-1}/{size}')
        self.send_header('Content-Length', str(size - start)); self.end_headers()
        if self.path.startswith('/held'):
            try:
                self.wfile.write(b'x' * (1 << 20)); self.wfile.flush()
                hold.wait(30)
            except OSError: pass
            self.close_connection = True
            return
        try: self.wfile.write(b'x' * (size - start))
        except OSError: pass

hold = threading.Event()
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Files)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f'http://127.0.0.1:{server.server_port}'
folder = tempfile.mkdtemp(prefix='aria')
s = socket.socket(); s.bind(('127.0.0.1', 0)); port = s.getsockname()[1]; s.close()
secret = 'secret-of-sixteen'
process = subprocess.Popen(['aria2c', '--enable-rpc=true', f'--rpc-listen-port={port}', '--quiet', f'--dir={folder}',
    '--file-allocation=none', '--no-conf', f'--rpc-secret={secret}', '--max-concurrent-downloads=2', '--max-tries=1'] + sys.argv[2:])
for _ in range(100):
    try: socket.create_connection(('127.0.0.1', port)).close(); break
    except OSError: time.sleep(.05)

def fill(text): return text.replace('{base}', base).replace('{dir}', folder)
def empty(text): return text.replace('\\/', '/').replace(base, '{base}').replace(folder, '{dir}')
def send(body, method='POST', path='/jsonrpc', headers={}):
    c = http.client.HTTPConnection('127.0.0.1', port, timeout=10)
    started = time.time()
    try:
        c.request(method, path, body=fill(body).encode() if body is not None else None, headers=headers)
        r = c.getresponse(); data = r.read().decode('utf-8', 'replace')
        return r.status, {k.lower(): v for k, v in r.getheaders()}, empty(data), time.time() - started
    except Exception as e:
        return 0, {}, type(e).__name__, time.time() - started
def call(method, *params):
    return json.loads(send(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': [f'token:{secret}', *params]}))[2])

T = f'token:{secret}'
def rpc(method, *params, id='q', token=True):
    return json.dumps({'jsonrpc': '2.0', 'id': id, 'method': method, 'params': ([T] if token else []) + list(params)})
G = {n: n * 16 for n in 'abcdef'}
steps = []
def ask(name, body, **k): steps.append(dict(name=name, body=body, **k))
def until(gid, status): steps.append(dict(until=status, gid=gid))

# Good requests
ask('version', rpc('aria2.getVersion'))
ask('session info', rpc('aria2.getSessionInfo'))
ask('methods', rpc('system.listMethods', token=False))
ask('notifications', rpc('system.listNotifications', token=False))
ask('no tasks', rpc('aria2.tellActive'))
ask('global stat without tasks', rpc('aria2.getGlobalStat'))
ask('unpause all without tasks', rpc('aria2.unpauseAll'))
ask('add paused', rpc('aria2.addUri', ['{base}/one.bin'], {'gid': G['a'], 'pause': 'true', 'out': 'one.bin'}))
ask('status of paused', rpc('aria2.tellStatus', G['a']))
ask('status by keys', rpc('aria2.tellStatus', G['a'], ['gid', 'status', 'nothing']))
ask('status by prefix', rpc('aria2.tellStatus', 'aaa', ['gid']))
ask('add a second paused with mirrors', rpc('aria2.addUri', ['{base}/two.bin', '{base}/two.bin?mirror'], {'gid': 'ab' + 'b' * 14, 'pause': 'true', 'max-download-limit': '1M', 'header': ['X-One: 1', 'X-Two: 2']}))
ask('prefix of two', rpc('aria2.tellStatus', 'a'))
ask('uris', rpc('aria2.getUris', 'ab'))
ask('files', rpc('aria2.getFiles', 'ab'))
ask('waiting', rpc('aria2.tellWaiting', 0, 10, ['gid', 'status']))
ask('waiting from the end', rpc('aria2.tellWaiting', -1, 10, ['gid', 'status']))
ask('waiting beyond the end', rpc('aria2.tellWaiting', 5, 10))
ask('move to the end', rpc('aria2.changePosition', G['a'], 0, 'POS_END'))
ask('waiting after the move', rpc('aria2.tellWaiting', 0, 10, ['gid']))
ask('move by one', rpc('aria2.changePosition', G['a'], -1, 'POS_CUR'))
ask('move to a place', rpc('aria2.changePosition', G['a'], 1, 'POS_SET'))
ask('option of a task', rpc('aria2.changeOption', G['a'], {'max-download-limit': '20M'}))
ask('global option', rpc('aria2.changeGlobalOption', {'max-overall-download-limit': '2M'}))
ask('add first in the queue', rpc('aria2.addUri', ['{base}/three.bin'], {'gid': G['c'], 'pause': 'true'}, 0))
ask('first in the queue', rpc('aria2.tellWaiting', 0, 1, ['gid']))
ask('change uris', rpc('aria2.changeUri', 'ab', 1, ['{base}/two.bin?mirror'], ['{base}/two.bin?a', '{base}/two.bin?b']))
ask('pause a paused one', rpc('aria2.pause', G['a']))
ask('remove a waiting one', rpc('aria2.remove', G['c']))
ask('status of a removed one', rpc('aria2.tellStatus', G['c']))
ask('unpause', rpc('aria2.unpause', G['a']))
until(G['a'], 'complete')
ask('unpause a complete one', rpc('aria2.unpause', G['a']))
ask('pause a complete one', rpc('aria2.pause', G['a']))
ask('status of complete', rpc('aria2.tellStatus', G['a']))
ask('uris of a complete one', rpc('aria2.getUris', G['a']))
ask('files of a complete one', rpc('aria2.getFiles', G['a']))
ask('servers of a complete one', rpc('aria2.getServers', G['a']))
ask('options of a complete one', rpc('aria2.changeOption', G['a'], {'max-download-limit': '20K'}))
ask('remove a complete one', rpc('aria2.remove', G['a']))
ask('add a missing one', rpc('aria2.addUri', ['{base}/missing.bin'], {'gid': G['d']}))
until(G['d'], 'error')
ask('status of failed', rpc('aria2.tellStatus', G['d'], ['gid', 'status', 'errorCode', 'totalLength', 'completedLength', 'connections', 'numPieces', 'pieceLength', 'dir']))
ask('stopped', rpc('aria2.tellStopped', 0, 10, ['gid', 'status', 'errorCode']))
ask('stopped from the end', rpc('aria2.tellStopped', -1, 10, ['gid']))
ask('add a held one', rpc('aria2.addUri', ['{base}/held.bin'], {'gid': G['e'], 'split': '1'}))
until(G['e'], 'active')
ask('active', rpc('aria2.tellActive', ['gid', 'status', 'totalLength', 'numPieces', 'completedLength', 'bitfield', 'connections']))
ask('servers of active', rpc('aria2.getServers', G['e']))
ask('uris of active', rpc('aria2.getUris', G['e']))
ask('peers of active', rpc('aria2.getPeers', G['e']))
ask('position of active', rpc('aria2.changePosition', G['e'], 0, 'POS_SET'))
ask('remove the result of an active one', rpc('aria2.removeDownloadResult', G['e']))
ask('unpause an active one', rpc('aria2.unpause', G['e']))
ask('force pause', rpc('aria2.forcePause', G['e']))
until(G['e'], 'paused')
ask('servers of paused', rpc('aria2.getServers', G['e']))
ask('unpause', rpc('aria2.unpause', G['e']))
until(G['e'], 'active')
ask('force remove', rpc('aria2.forceRemove', G['e']))
until(G['e'], 'removed')
ask('status of removed', rpc('aria2.tellStatus', G['e'], ['gid', 'status', 'errorCode', 'errorMessage']))
ask('remove a result', rpc('aria2.removeDownloadResult', G['d']))
ask('remove a result twice', rpc('aria2.removeDownloadResult', G['d']))
ask('purge', rpc('aria2.purgeDownloadResult'))
ask('stopped after the purge', rpc('aria2.tellStopped', 0, 10))
ask('pause all', rpc('aria2.pauseAll'))
ask('multicall', rpc('system.multicall', [{'methodName': 'aria2.tellWaiting', 'params': [T, 9, 9]}, {'methodName': 'aria2.tellStatus', 'params': [T, 'ffff']}, {'methodName': 'system.multicall', 'params': [[]]}, 7, {'methodName': 'aria2.nothing', 'params': []}, {'params': []}], token=False))
ask('batch', '[' + rpc('aria2.tellWaiting', 9, 9, id=1) + ',7,' + rpc('aria2.tellStatus', 'ffff', id=2) + ']')
ask('empty batch', '[]')
# Odd and wrong ones
ask('no token', rpc('aria2.getVersion', token=False))
ask('wrong token', json.dumps({'jsonrpc': '2.0', 'id': 'q', 'method': 'aria2.getVersion', 'params': ['token:wrong']}))
ask('wrong token in a multicall', rpc('system.multicall', [{'methodName': 'aria2.getVersion', 'params': ['token:wrong']}], token=False))
ask('unknown method', rpc('aria2.nothing'))
ask('unknown method without a token', rpc('aria2.nothing', token=False))
ask('no method', '{"jsonrpc":"2.0","id":"q","params":[]}')
ask('method that is no text', '{"jsonrpc":"2.0","id":"q","method":7,"params":[]}')
ask('no id', '{"jsonrpc":"2.0","method":"aria2.getVersion","params":["' + T + '"]}')
ask('id that is null', '{"jsonrpc":"2.0","id":null,"method":"aria2.getVersion","params":["' + T + '"]}')
ask('id that is a list', '{"id":[1,"a"],"method":"system.listNotifications"}')
ask('id that is a float', '{"id":1.5,"method":"system.listNotifications"}')
ask('no version', '{"id":"q","method":"system.listNotifications","params":[]}')
ask('params that are an object', '{"id":"q","method":"aria2.getVersion","params":{}}')
ask('a text', '"aria2.getVersion"')
ask('a number', '7')
ask('not JSON', '{"id":"q"')
ask('nothing', '')
ask('no gid', rpc('aria2.tellStatus'))
ask('gid that is a number', rpc('aria2.tellStatus', 7))
ask('gid that is no number', rpc('aria2.tellStatus', 'xyz'))
ask('gid of zeros', rpc('aria2.tellStatus', '0' * 16))
ask('gid that is too long', rpc('aria2.tellStatus', 'a' * 17))
ask('empty gid', rpc('aria2.tellStatus', ''))
ask('missing gid', rpc('aria2.tellStatus', 'f' * 16))
ask('keys that are a text', rpc('aria2.tellStatus', 'ab', 'gid'))
ask('keys that are numbers', rpc('aria2.tellStatus', 'ab', [1, 2]))
ask('no uris', rpc('aria2.addUri'))
ask('empty uris', rpc('aria2.addUri', []))
ask('uris that are a text', rpc('aria2.addUri', '{base}/one.bin'))
ask('uris that are numbers', rpc('aria2.addUri', [7]))
ask('uri that is no URL', rpc('aria2.addUri', ['nothing']))
ask('options that are a list', rpc('aria2.addUri', ['{base}/one.bin'], []))
ask('wrong option', rpc('aria2.addUri', ['{base}/one.bin'], {'split': 'x', 'pause': 'true'}))
ask('wrong size', rpc('aria2.addUri', ['{base}/one.bin'], {'max-download-limit': '9Q', 'pause': 'true'}))
ask('wrong choice', rpc('aria2.addUri', ['{base}/one.bin'], {'file-allocation': 'x', 'pause': 'true'}))
ask('wrong boolean', rpc('aria2.addUri', ['{base}/one.bin'], {'continue': 'x', 'pause': 'true'}))
ask('wrong number', rpc('aria2.addUri', ['{base}/one.bin'], {'timeout': '0', 'pause': 'true'}))
ask('wrong checksum', rpc('aria2.addUri', ['{base}/one.bin'], {'checksum': 'sha-256=12', 'pause': 'true'}))
ask('wrong gid option', rpc('aria2.addUri', ['{base}/one.bin'], {'gid': 'x', 'pause': 'true'}))
ask('gid option twice', rpc('aria2.addUri', ['{base}/one.bin'], {'gid': 'ab' + 'b' * 14, 'pause': 'true'}))
ask('position below zero', rpc('aria2.addUri', ['{base}/one.bin'], {'pause': 'true'}, -1))
ask('position that is a text', rpc('aria2.addUri', ['{base}/one.bin'], {'pause': 'true'}, '1'))
ask('wrong torrent', rpc('aria2.addTorrent', 'x'))
ask('wrong metalink', rpc('aria2.addMetalink', base64.b64encode(b'nothing').decode()))
ask('no metalink', rpc('aria2.addMetalink'))
ask('remove a missing one', rpc('aria2.remove', 'f' * 16))
ask('pause a missing one', rpc('aria2.pause', 'f' * 16))
ask('unpause a missing one', rpc('aria2.unpause', 'f' * 16))
ask('uris of a missing one', rpc('aria2.getUris', 'f' * 16))
ask('files of a missing one', rpc('aria2.getFiles', 'f' * 16))
ask('servers of a missing one', rpc('aria2.getServers', 'f' * 16))
ask('peers of a missing one', rpc('aria2.getPeers', 'f' * 16))
ask('option of a missing one', rpc('aria2.getOption', 'f' * 16))
ask('change of a missing one', rpc('aria2.changeOption', 'f' * 16, {}))
ask('position of a missing one', rpc('aria2.changePosition', 'f' * 16, 0, 'POS_SET'))
ask('position by a wrong word', rpc('aria2.changePosition', 'ab', 0, 'POS_X'))
ask('position without a word', rpc('aria2.changePosition', 'ab', 0))
ask('uris without an index', rpc('aria2.changeUri', 'ab'))
ask('uris of file zero', rpc('aria2.changeUri', 'ab', 0, [], []))
ask('uris of file two', rpc('aria2.changeUri', 'ab', 2, [], []))
ask('uris of a missing task', rpc('aria2.changeUri', 'f' * 16, 1, [], []))
ask('waiting without a number', rpc('aria2.tellWaiting', 0))
ask('waiting with a negative number', rpc('aria2.tellWaiting', 0, -1))
ask('waiting with a text', rpc('aria2.tellWaiting', '0', 1))
ask('change without options', rpc('aria2.changeOption', 'ab'))
ask('global change without options', rpc('aria2.changeGlobalOption'))
ask('wrong global option', rpc('aria2.changeGlobalOption', {'max-concurrent-downloads': 'x'}))
ask('unknown global option', rpc('aria2.changeGlobalOption', {'nothing': 'x'}))
ask('save session', rpc('aria2.saveSession'))
ask('multicall without a list', rpc('system.multicall', token=False))
ask('multicall of a text', rpc('system.multicall', 'x', token=False))
ask('numbers as options', rpc('aria2.changeOption', 'ab', {'max-download-limit': 4096, 'pause': True}))
# Options last, because they are long
ask('options of a task', rpc('aria2.getOption', 'ab'))
ask('global options', rpc('aria2.getGlobalOption'))
ask('status of the second', rpc('aria2.tellStatus', 'ab'))
# HTTP
p = base64.b64encode(json.dumps([T]).encode()).decode()
ask('get', None, method='GET', path=f'/jsonrpc?method=aria2.getSessionInfo&id=q&params={p}')
ask('get with a callback', None, method='GET', path='/jsonrpc?method=system.listNotifications&id=q&jsoncallback=cb')
ask('get without a method', None, method='GET', path='/jsonrpc')
ask('another path', rpc('aria2.getVersion'), path='/nothing')
ask('get of another path', None, method='GET', path='/nothing')
ask('options of http', None, method='OPTIONS')
ask('put', rpc('aria2.getVersion'), method='PUT')
ask('head', None, method='HEAD')
ask('shutdown', rpc('aria2.shutdown'))

result = []
for step in steps:
    if 'until' in step:
        for _ in range(200):
            answer = call('aria2.tellStatus', step['gid'], ['status', 'completedLength'])
            if answer.get('result', {}).get('status') == step['until'] and (step['until'] != 'active' or answer['result']['completedLength'] == str(1 << 20)): break
            time.sleep(.05)
        else: sys.exit(f'never {step}: {answer}')
        result.append(step)
        continue
    status, headers, data, seconds = send(step['body'], step.get('method', 'POST'), step.get('path', '/jsonrpc'))
    step['status'] = status
    step['type'] = headers.get('content-type')
    step['answer'] = data
    if seconds > .5: step['late'] = True
    if 'close' in headers.get('connection', ''): step['closes'] = True
    result.append(step)
process.wait(20); hold.set()
json.dump(result, open(sys.argv[1], 'w'), indent=1)
