/** The description of Paperclip, the first plane. Its rows are read in truth.ts, its API in board/dialects. */
import type { PlaneDescription } from '../description.ts';
import { serverEnvironment } from './environment.ts';
import { readBoot } from './health.ts';

export const paperclipPlane: PlaneDescription = {
  healthPath: '/api/health',
  serverArgv: (installed) => [process.execPath, ...installed.nodeArguments, installed.entry],
  serverEnvironment,
  readBoot,
};
