/** What the plane's API says about an issue, kept as it came: for people, not for rules. */

/** Each is a file of the task's bundle, and a path below the issue. */
export const dumpNames = [
  'issue',
  'runs',
  'comments',
  'documents',
  'activity',
  'approvals',
  'interactions',
  'recovery-actions',
  'attachments',
  'work-products',
  'queued-comments',
] as const;
export type DumpName = (typeof dumpNames)[number];

/** One raw answer for the evidence bundle. `json` is whatever came, also when it is an error's body. */
export interface BoardDump {
  readonly path: string;
  readonly ok: boolean;
  readonly httpStatus: number | null;
  readonly json: unknown;
  readonly error: string | null;
}
