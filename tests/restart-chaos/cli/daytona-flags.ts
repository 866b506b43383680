/** What a wave in sandboxes needs beside its plan, from flags and from the variables that its users have set anyway. */
import { resolve } from 'node:path';
import { isContentId } from '../daytona/content-id.ts';
import { UsageError } from '../model/errors.ts';
import type { DaytonaOptions } from '../model/options.ts';
import { vcpuBudgetDefault } from '../plan/sandbox-defaults.ts';
import type { RawFlags } from './raw-flags.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where the API of the provider's own cloud is. */
const cloudUrl = 'https://app.daytona.io/api';

/** Throws UsageError with everything that cannot be. A missing key is no matter here: most waves need none. */
export function readDaytonaOptions(flags: RawFlags, variables: Variables): DaytonaOptions {
  const problems: string[] = [];
  const contentId = flags.daytonaContentId ?? null;
  if (contentId !== null && !isContentId(contentId)) {
    problems.push(`--daytona-content-id takes 64 hex digits; got "${contentId}"`);
  }
  const budget = variables['RESTART_CHAOS_DAYTONA_VCPU_BUDGET'] ?? String(vcpuBudgetDefault);
  if (!/^[1-9]\d{0,5}$/.test(budget)) {
    problems.push(`RESTART_CHAOS_DAYTONA_VCPU_BUDGET takes a whole number from 1 on; got "${budget}"`);
  }
  const apiUrl = variables['DAYTONA_API_URL'] ?? cloudUrl;
  if (!isSafeUrl(apiUrl)) {
    problems.push(`DAYTONA_API_URL takes an https address, or http on this machine: a key goes there; got "${apiUrl}"`);
  }
  if (problems.length > 0) throw new UsageError(problems);
  const key = variables['DAYTONA_API_KEY']?.trim() ?? '';
  const { daytonaProvider } = flags;
  return {
    apiKey: key === '' ? null : key,
    apiUrl: apiUrl.replace(/\/+$/, ''),
    providerDirectory: daytonaProvider === undefined ? null : resolve(daytonaProvider),
    contentId,
    vcpuBudget: Number(budget),
  };
}

/** The image may be named by a variable, which says nothing about a wave on this machine. */
export function withDaytonaVariables(flags: RawFlags, variables: Variables): RawFlags {
  const image = variables['PAPERCLIP_E2E_DAYTONA_IMAGE']?.trim() ?? '';
  if (flags.env !== 'daytona' || flags.daytonaImage !== undefined || image === '') return flags;
  return { ...flags, daytonaImage: image };
}

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(hostname));
}
