/**
 * Tables that Paperclip writes for itself all the time, whatever its tasks do: transactions that touch nothing else are
 * counted and not kept. Found by reading tapes of an idle plane.
 */
export const housekeepingTables: readonly string[] = [];
