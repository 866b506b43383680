import type { z } from 'zod';

/** What an answer lacks, one line: `runs.2.status: expected string, received undefined`. At most three problems. */
export function shapeProblems(error: z.ZodError, part?: string): string {
  const lines = error.issues.map((issue) => {
    const where = [...(part === undefined ? [] : [part]), ...issue.path.map(String)].join('.');
    return `${where === '' ? 'the answer' : where}: ${issue.message}`;
  });
  const more = lines.length > 3 ? `; and ${lines.length - 3} more` : '';
  return lines.slice(0, 3).join('; ') + more;
}
