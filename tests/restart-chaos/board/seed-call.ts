import { z } from 'zod';
import { HarnessError } from '../model/errors.ts';
import { type BoardClient, type BoardMethod, describeAnswer } from './client.ts';

/** One call of the seeding, and what its answer must look like. */
export interface SeedCall<T> {
  readonly method: BoardMethod;
  readonly path: string;
  readonly body: unknown;
  readonly shape: z.ZodType<T>;
  /** What the call is for, as it completes "could not …". */
  readonly purpose: string;
}

/**
 * Makes one call and reads its answer. Throws HarnessError `seed-failed` with the call, the status and the head of
 * the body when the plane did not answer 2xx or answered in another shape.
 */
export async function seedCall<T>(client: BoardClient, call: SeedCall<T>): Promise<T> {
  const answer = await client.request(call.method, call.path, call.body);
  const read = call.shape.safeParse(answer.json);
  if (answer.outcome === 'ok' && read.success) return read.data;
  const lacks = answer.outcome === 'ok' && !read.success ? ` (${z.prettifyError(read.error)})` : '';
  throw new HarnessError(
    'seed-failed',
    `Could not ${call.purpose} on the plane at ${client.baseUrl}: ${describeAnswer(answer)}${lacks}. ` +
      'Look at the server log of this boot.',
  );
}
