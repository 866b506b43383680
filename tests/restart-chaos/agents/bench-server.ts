/** Serves a bench signer on loopback; `url(task)` goes into the agent's environment as CHAOS_BENCH_URL. */
import type { BenchSigner } from './bench-signer.ts';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.ts';

/** Starts the server bench.sh talks to. Throws HarnessError when it cannot listen. */
export function startBenchServer(signer: BenchSigner): Promise<LoopbackServer> {
  return startLoopbackServer({ answer: (task, verb, body) => signer.answer(task, verb, body) });
}
