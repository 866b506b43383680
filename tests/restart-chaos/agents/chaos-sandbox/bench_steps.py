"""The steps of bench.sh: hash a chain, step by step, in front of a witness that signs each step.

The witness (CHAOS_BENCH_URL) says how many steps there are and how far apart, gives the start of each chain, and signs
the progress and the record. Files are written in place and never renamed, so that no file of this folder ever vanishes.
"""

import fcntl
import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.request

FILE_BYTES = 1024
# The witness is on the same machine: it is either there or gone, half a minute is ample.
TRIES = 60
TRY_EVERY_SECONDS = 0.5

# No proxy of the environment may stand between this program and the witness.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(verb, body):
    """Answer of the witness as (status, JSON). Repeats while it cannot be reached; it answers a repeated step again."""
    url = os.environ["CHAOS_BENCH_URL"] + "/" + verb
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    reason = None
    for _ in range(TRIES):
        try:
            with opener.open(request, timeout=5) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except (OSError, ValueError) as error:
            reason = error
            time.sleep(TRY_EVERY_SECONDS)
    sys.exit(f"bench: the witness at {url} cannot be reached: {reason}")


def climb(challenge, rounds):
    link = challenge
    for _ in range(rounds):
        link = hashlib.sha256(link.encode()).hexdigest()
    return link


def write_in_place(path, content):
    """One write of a fixed length, so that a reader sees the old text or the new one."""
    text = json.dumps(content).ljust(FILE_BYTES - 1) + "\n"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    try:
        os.pwrite(handle, text.encode(), 0)
    finally:
        os.close(handle)


def read_record(path, task, nonce):
    """The finished record of this task and nonce, or None."""
    try:
        with open(path, encoding="utf-8") as source:
            record = json.load(source)
    except (OSError, ValueError):
        return None
    return record if record.get("task") == task and record.get("nonce") == nonce else None


def run(task, nonce, progress_path, record_path):
    status, plan = ask("start", {"task": task, "nonce": nonce})
    if status != 200:
        sys.exit(f"bench: the witness refused to start: {plan}")
    challenge = plan["challenge"]
    for step in range(1, plan["steps"] + 1):
        answer = climb(challenge, plan["rounds"])
        body = {"bench": plan["bench"], "step": step, "answer": answer}
        status, reply = ask("step", body)
        while status == 425:
            time.sleep(reply["waitMs"] / 1000)
            status, reply = ask("step", body)
        if status != 200:
            sys.exit(f"bench: the witness refused step {step}: {reply}")
        write_in_place(progress_path, reply["progress"])
        print(f"bench {task}: step {step} of {plan['steps']}", flush=True)
        challenge = reply["challenge"]
    write_in_place(record_path, reply["record"])
    return reply["record"]


def main(task, nonce):
    os.makedirs("chaos", exist_ok=True)
    progress_path = f"chaos/bench-{task}.progress.json"
    record_path = f"chaos/bench-{task}.record.json"
    lock = open(f"chaos/bench-{task}.lock", "a", encoding="utf-8")
    # Held until this process ends, however it ends: the kernel lets go of it.
    fcntl.flock(lock, fcntl.LOCK_EX)
    record = read_record(record_path, task, nonce) or run(task, nonce, progress_path, record_path)
    print(f"bench {task}: value {record['value']}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
