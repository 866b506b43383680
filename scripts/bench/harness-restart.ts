/** The harness's own K1, as a wave's injector carries it out, and where its time went by its own events. */
import { setTimeout as delay } from 'node:timers/promises';
import { stepsOf } from '../../tests/restart-chaos/faults/catalogue.ts';
import { HarnessError } from '../../tests/restart-chaos/model/errors.ts';
import type { EventBody } from '../../tests/restart-chaos/model/event.ts';
import type { PlannedFault } from '../../tests/restart-chaos/model/fault.ts';
import { formatFaultRef } from '../../tests/restart-chaos/model/ids.ts';
import { injectFault } from '../../tests/restart-chaos/wave/inject.ts';
import type { BenchPlane } from './bench-plane.ts';
import type { RestartTimes } from './restart-times.ts';

const crash: PlannedFault = { kind: 'K1', trigger: { on: 'time', offsetMs: 0 }, parameters: {} };

/**
 * Boots a server, lets it settle, and injects a K1; times that. Leaves no server running. Throws HarnessError when the
 * fault did not land.
 */
export async function measureHarnessRestart(
  plane: BenchPlane,
  options: { readonly ordinal: number; readonly settleMs: number },
): Promise<RestartTimes> {
  const { control, numbers } = plane;
  if (control.server().child.exit() !== null) await (await control.startServer()).awaitReady(numbers.readyLimitMs);
  await delay(options.settleMs);
  const request = {
    ref: formatFaultRef(options.ordinal),
    planned: crash,
    steps: stepsOf(crash, numbers),
    requestedBy: 't01',
    openTasks: [],
    commit: null,
    onStruck: () => undefined,
  };
  const eventsBefore = plane.events.length;
  const cpuBefore = process.cpuUsage();
  const beganAtMs = performance.now();
  const outcome = await control.duringFault(() => injectFault(plane, request, new AbortController().signal));
  const totalMs = performance.now() - beganAtMs;
  const cpu = process.cpuUsage(cpuBefore);
  await endServer(plane);
  if (outcome.kind !== 'landed') {
    throw new HarnessError('fault-not-landed', outcome.kind === 'stopped' ? 'the K1 was stopped' : outcome.reason);
  }
  return { totalMs, cpuMs: (cpu.user + cpu.system) / 1_000, ...partsOf(plane.events.slice(eventsBefore)) };
}

async function endServer({ control }: BenchPlane): Promise<void> {
  control.expectExit('server');
  control.server().child.signal('SIGKILL', 'leader');
  await control.server().child.exited;
}

function partsOf(events: readonly EventBody[]): Pick<RestartTimes, 'exitMs' | 'bootMs'> {
  let signalledAtMs = Number.NaN;
  let exitedAtMs = Number.NaN;
  let bootMs = Number.NaN;
  for (const event of events) {
    if (event.kind === 'fault_step' && event.step.step === 'signal') signalledAtMs = event.startedAtMs;
    if (event.kind === 'fault_step' && event.step.step === 'await_exit') exitedAtMs = event.endedAtMs;
    if (event.kind === 'boot_phase' && event.source === 'server' && event.phase === 'ready')
      bootMs = event.sinceStartMs;
  }
  return { exitMs: exitedAtMs - signalledAtMs, bootMs };
}
