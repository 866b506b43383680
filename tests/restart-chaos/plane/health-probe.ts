/**
 * One look at a health endpoint, with a limit of its own: the plane has none, and with its database away it accepts
 * the connection and never answers. Never throws; what came instead of an answer is the answer.
 *
 * `agent: false`: a kept-alive connection would tell about the process before the restart.
 */
import { request } from 'node:http';
import { errorText } from '../model/errors.ts';

export type HealthLook =
  | { readonly kind: 'refused' }
  | { readonly kind: 'json'; readonly httpStatus: number; readonly body: unknown }
  /** Something took the connection and did not answer as a plane does. */
  | { readonly kind: 'odd'; readonly seen: string };

const bodyLimitBytes = 256 * 1024;
const shownCharacters = 80;

/** Asks once; settles at the latest after `timeoutMs`. */
export function lookAtHealth(url: string, timeoutMs: number): Promise<HealthLook> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, headers: { accept: 'application/json' } });
    const end = (look: HealthLook): void => {
      clearTimeout(timer);
      asked.destroy();
      resolve(look);
    };
    const timer = setTimeout(
      () => end({ kind: 'odd', seen: `the connection was taken, but no whole answer came in ${timeoutMs} ms` }),
      timeoutMs,
    );
    asked.on('error', (error) => end(lookAtError(error)));
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > bodyLimitBytes) end({ kind: 'odd', seen: `an answer of more than ${bodyLimitBytes} bytes` });
      });
      response.on('error', (error) => end(lookAtError(error)));
      response.on('end', () => end(lookAtBody(response.statusCode ?? 0, response.headers['content-type'], text)));
    });
    asked.end();
  });
}

function lookAtError(error: Error): HealthLook {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ECONNREFUSED'
    ? { kind: 'refused' }
    : { kind: 'odd', seen: `the connection broke: ${errorText(error)}` };
}

function lookAtBody(httpStatus: number, contentType: string | undefined, text: string): HealthLook {
  try {
    return { kind: 'json', httpStatus, body: JSON.parse(text) };
  } catch {
    const start = text.slice(0, shownCharacters).replaceAll(/\s+/g, ' ');
    return { kind: 'odd', seen: `HTTP ${httpStatus} with ${contentType ?? 'no content type'}, not JSON: "${start}"` };
  }
}
