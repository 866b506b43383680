/**
 * Tables that Paperclip writes for itself all the time, whatever its tasks do: transactions that touch nothing else are
 * counted and not kept. There are none: in thirty tapes of the published plane only a deferred wake recurs (it is touched
 * every ten seconds), and that is a task's; without one it wrote nothing for 84 s while it answered every look. What
 * else is of no task comes with the company's setting up, a run (`company_secrets`) or an issue (`decision_retention`).
 */
export const housekeepingTables: readonly string[] = [];
