/** One disturbance of one task's provider, from the first request it is meant for to its end. */
import type { ServerResponse } from 'node:http';
import type { ProviderFaultKind } from '../../model/provider-fault.ts';
import { serveFault, type RightAnswer } from './serve-fault.ts';
import type { Wire } from './wires/wire.ts';

export interface WantedDisturbance {
  readonly fault: ProviderFaultKind;
  /** How many requests are served wrongly. */
  readonly requests: number;
  /** How many are served well first; none when it is not said. */
  readonly skip?: number;
}

export interface ProviderDisturbance {
  readonly fault: ProviderFaultKind;
  /** Numbers of the requests of the task that it was served to so far: the proof that it happened. */
  served(): readonly number[];
  /** Serves the next requests well again, and cuts off who still waits for an end; gives how many these were. */
  end(): number;
}

/** The server's side of it. */
export class RunningDisturbance implements ProviderDisturbance {
  readonly fault: ProviderFaultKind;
  readonly #served: number[] = [];
  readonly #unanswered = new Set<ServerResponse>();
  #skip: number;
  #left: number;

  constructor({ fault, requests, skip = 0 }: WantedDisturbance) {
    this.fault = fault;
    this.#skip = skip;
    this.#left = requests;
  }

  served(): readonly number[] {
    return [...this.#served];
  }

  /** Counts a request that leads the task: itself when this one is to be served wrongly, null when it is not. */
  next(): this | null {
    if (this.#left === 0) return null;
    if (this.#skip > 0) {
      this.#skip -= 1;
      return null;
    }
    this.#left -= 1;
    return this;
  }

  /** Serves a request wrongly. Resolves when everything that will be sent is sent. */
  async serve(number: number, response: ServerResponse, wire: Wire, right: RightAnswer): Promise<void> {
    if (this.fault === 'no_headers' || this.fault === 'stall') {
      this.#unanswered.add(response);
      response.once('close', () => this.#unanswered.delete(response));
    }
    const sent = serveFault(this.fault, response, wire, right);
    this.#served.push(number);
    await sent;
  }

  end(): number {
    this.#left = 0;
    const waiting = [...this.#unanswered];
    this.#unanswered.clear();
    for (const response of waiting) response.destroy();
    return waiting.length;
  }
}
