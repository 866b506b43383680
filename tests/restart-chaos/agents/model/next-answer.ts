/**
 * What the scripted model says next. A pure function of the conversation: it keeps nothing, so an agent that was
 * killed and resumes, or starts afresh, gets the same answers as one that was not.
 *
 * Which steps are done is read in the results of the calls of this turn. A turn begins with what the user says after
 * the model had its last word: a wake for a new comment does every step again, and each step looks before it acts.
 * Trap: a resumed agent says more as "user" in the middle of a turn (reminders, what it tells itself after a kill).
 */
import { readCard, type TaskCard } from '../../model/card.ts';
import type { Answer, Conversation, Entry } from './conversation.ts';
import { findShellTool, type ShellTool } from './shell-tools.ts';
import { stepCommand, stepMark, stepsOf, type StepName } from './task-steps.ts';

// A step that was cut off is worth another try; one that fails three times will not do better.
const triesMax = 3;

/** Whether it is about a task's work. Agents also ask for titles and summaries, some with the brief in them: without a tool. */
export function leadsTask({ entries, tools }: Conversation): boolean {
  return tools.length > 0 && lastCard(entries) !== null;
}

/** The answer to a conversation. Equal conversations get equal answers. */
export function nextAnswer({ entries, tools }: Conversation): Answer {
  const card = lastCard(entries);
  const shell = findShellTool(tools);
  if (card === null || tools.length === 0) return text('A task of restart-chaos.');
  if (shell === null) return text(`I cannot work: none of the tools on offer runs a command (${tools.join(', ')}).`);
  const turn = entries.slice(turnStart(entries));
  const waiting = waitForRunning(turn, entries, shell);
  if (waiting !== null) return waiting;
  const step = stepsOf(card).find((candidate) => !isDone(turn, stepMark(candidate, card.nonce)));
  if (step === undefined) return text(`Task ${card.task} is done.`);
  if (callsOf(turn, step, card).length >= triesMax) {
    return text(`I give up: step ${step} of task ${card.task} was not done in ${triesMax} tries.`);
  }
  const id = `${idPrefix(step, card)}${callsOf(entries, step, card).length + 1}`;
  return { kind: 'call', id, tool: shell.name, input: shell.run(stepCommand(step), `${step} of ${card.task}`) };
}

function text(sentence: string): Answer {
  return { kind: 'text', text: sentence };
}

function lastCard(entries: readonly Entry[]): TaskCard | null {
  const cards = entries.flatMap((entry) => (entry.kind === 'user' ? [readCard(entry.text)] : []));
  return cards.findLast((card) => card !== null) ?? null;
}

function turnStart(entries: readonly Entry[]): number {
  return Math.max(
    0,
    entries.findLastIndex((entry, index) => entry.kind === 'user' && entries[index - 1]?.kind === 'assistant'),
  );
}

function isDone(turn: readonly Entry[], mark: string): boolean {
  return turn.some((entry) => entry.kind === 'result' && entry.text.includes(mark));
}

function waitForRunning(turn: readonly Entry[], entries: readonly Entry[], shell: ShellTool): Answer | null {
  const last = turn.findLast(({ kind }) => kind === 'result' || kind === 'call');
  const more = last?.kind === 'result' ? shell.wait(last.text) : null;
  if (more === null) return null;
  const waits = entries.filter((entry) => entry.kind === 'call' && entry.id.startsWith('wait_')).length;
  return { kind: 'call', id: `wait_${waits + 1}`, ...more };
}

function idPrefix(step: StepName, { nonce }: TaskCard): string {
  return `call_${step}_${nonce}_`;
}

function callsOf(entries: readonly Entry[], step: StepName, card: TaskCard): readonly Entry[] {
  return entries.filter((entry) => entry.kind === 'call' && entry.id.startsWith(idPrefix(step, card)));
}
