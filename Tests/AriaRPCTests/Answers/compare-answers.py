#!/usr/bin/env python3
"""Sends the recorded requests to the real program over HTTP, and compares each answer with aria2c's.

    Tests/AriaRPCTests/Answers/compare-answers.py [PROGRAM]     .build/debug/netdash without one

It counts the answers, and fails for one that differs and is not named below, and for one that no longer differs.
"""
import json, os, pathlib, subprocess, sys, tempfile

# Answers that differ, and why.
DIFFERENCES = {
    'version': 'its own features', 'session info': 'a random number', 'methods': 'more methods',
    'id that is null': 'its own features', 'get': 'a random number', 'servers of active': 'a measured speed',
    'wrong torrent': 'no BitTorrent', 'id that is a float': 'the number as it was sent',
    'options of a task': 'its own options', 'global options': 'its own options',
    'status of complete': 'each URL once', 'files of a complete one': 'each URL once',
    **dict.fromkeys(['files', 'keys that are numbers', 'status of the second'], 'the path of a file that has not begun'),
}
# The statuses of HTTP alone have no body that could be compared.
FACTS = ['status', 'late']

folder = pathlib.Path(__file__).parent
program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.build/debug/netdash').absolute()
with tempfile.TemporaryDirectory(prefix='compare-answers-') as text:
    home = pathlib.Path(text)
    (home / 'run').mkdir(mode=0o700)
    shim = home / 'aria2c'
    shim.write_text(f'#!/bin/sh\nexec "{program}" aria2c "$@"\n')
    shim.chmod(0o755)
    variables = {n: v for n, v in os.environ.items() if not n.startswith('XDG_') and not n.lower().endswith('_proxy')}
    subprocess.run(
        [sys.executable, '-B', folder / 'record-answers.py', home / 'own.json'], check=True, timeout=120,
        env=variables | {'HOME': text, 'XDG_RUNTIME_DIR': str(home / 'run'), 'PATH': f'{home}:{os.environ["PATH"]}'})
    own = json.loads((home / 'own.json').read_text())

def value(answer):
    text = answer or ''
    if text.startswith('cb('): text = text[3:-1]
    try: return json.loads(text)
    except ValueError: return text

def problems(step, answer):
    """What differs between aria2c's step and the program's."""
    found = [f'{fact} {answer.get(fact)} instead of {step.get(fact)}' for fact in FACTS if step.get(fact) != answer.get(fact)]
    if step.get('closes') and not answer.get('closes'): found.append('the connection stays open')
    if step['status'] == 200 and step.get('type') and step['type'] != answer.get('type'):
        found.append(f"type {answer.get('type')} instead of {step['type']}")
    if step.get('answer') and value(step['answer']) != value(answer.get('answer')):
        found.append(f"{answer.get('answer')}\n     instead of {step['answer']}")
    return found

recorded = json.loads((folder / 'aria2c-1.36.0.json').read_text())
same = wrong = 0
for step, answer in zip(recorded, own, strict=True):
    if 'until' in step: continue
    found = problems(step, answer)
    reason = DIFFERENCES.get(step['name'])
    if bool(found) == bool(reason):
        same += not found
    else:
        wrong += 1
        print(f"FAIL {step['name']}: " + ('; '.join(found) or f'is the same now; it differed: {reason}'))
print(f'{same} answers are the same, {len(DIFFERENCES)} differ on purpose')
print(f'{same} passed, {wrong} failed')
sys.exit(1 if wrong else 0)
