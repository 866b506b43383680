/**
 * One HTTP request with a JSON body, over a connection of its own: a kept-alive connection that the other side is
 * closing would look like an outage to an agent that gives up at the first failed call.
 */
import { request } from 'node:http';

export interface JsonRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  /** From asking to the last byte of the answer. */
  readonly withinMs: number;
}

/** Rejects when the other side cannot be reached, breaks off or is too slow. */
export function sendJson(options: JsonRequest): Promise<{ readonly status: number; readonly text: string }> {
  const payload = options.body === undefined ? null : JSON.stringify(options.body);
  const headers = payload === null ? options.headers : { ...options.headers, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(options.withinMs);
    const sending = request(options.url, { method: options.method, headers, agent: false, signal }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sending.on('error', reject);
    sending.end(payload ?? undefined);
  });
}
