/**
 * The life of a task as a picture: one lane of its commits in their order, a mark above it for a crash before the commit
 * and one below it for a crash after. An outcome has a colour, a shape and a letter, so that none is needed alone.
 * Complete in itself: no script, no font, nothing from elsewhere; light or dark as the reader's system is.
 */
import {
  latestOutcomes,
  pointName,
  type CrashPoint,
  type Exploration,
  type LifeCommit,
  type PointOutcome,
} from '../model/exploration.ts';
import { countStates } from './explore-groups.ts';
import { commitText, effectText, pointStates, reasonWords, stateWords, type PointState } from './explore-words.ts';
import { escapeMarkup } from './escape-markup.ts';
import { seconds } from './format.ts';

const step = 30;
const left = 76;
const laneY = 92;
const markY = { before: 54, after: 130 } as const;
const radius = 10;
const height = 214;
const keyStep = 124;

/** An `<svg>` element. `link` gives the address of a point's wave from where the picture lies; null for none. */
export function explorePicture(exploration: Exploration, link: (outcome: PointOutcome) => string | null): string {
  const { commits } = exploration;
  const width = Math.max(20 + pointStates.length * keyStep, left + commits.length * step + 20);
  const latest = latestOutcomes(exploration);
  const title = `Life of one ${exploration.options.workload} task: ${commits.length} commits, and what a crash before and after each led to`;
  const end = left + Math.max(0, commits.length - 1) * step + radius;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="life" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${pictureStyle}</style>`,
    `<text class="side" x="8" y="${markY.before + 4}">before</text>`,
    `<text class="side" x="8" y="${laneY + 4}">commit</text>`,
    `<text class="side" x="8" y="${markY.after + 4}">after</text>`,
    `<line class="lane" x1="${left - radius}" y1="${laneY}" x2="${end}" y2="${laneY}"/>`,
    ...commits.map((commit, index) => commitMarks({ commit, x: left + index * step, latest, link })),
    ...legend(exploration),
    '</svg>',
  ].join('\n');
}

interface CommitMarks {
  readonly commit: LifeCommit;
  readonly x: number;
  readonly latest: ReadonlyMap<string, PointOutcome>;
  readonly link: (outcome: PointOutcome) => string | null;
}

function commitMarks({ commit, x, latest, link }: CommitMarks): string {
  const about = `${commit.id} after ${seconds(commit.afterMs)}: ${commitText(commit)}`;
  const sides = (['before', 'after'] as const).map((side) => {
    const outcome = latest.get(pointName({ commit: commit.id, side }));
    return pointMark({ commit: commit.id, side }, { x, y: markY[side] }, about, outcome, link);
  });
  return [
    `<g><title>${escapeMarkup(about)}</title><line class="tick" x1="${x}" y1="${laneY - 6}" x2="${x}" y2="${laneY + 6}"/>`,
    `<text class="name" x="${x}" y="${laneY + 20}">${escapeMarkup(commit.id)}</text></g>`,
    ...sides,
  ].join('\n');
}

function pointMark(
  point: CrashPoint,
  at: { readonly x: number; readonly y: number },
  about: string,
  outcome: PointOutcome | undefined,
  link: (outcome: PointOutcome) => string | null,
): string {
  const state = outcome?.effect ?? 'untried';
  const title = `crash ${point.side} ${about}\n${outcome === undefined ? stateWords[state].word : effectText(outcome)}${detailText(outcome)}`;
  const mark = `<g class="point ${state}"><title>${escapeMarkup(title)}</title>${stateMark(state, at)}</g>`;
  const address = outcome === undefined ? null : link(outcome);
  return address === null ? mark : `<a href="${escapeMarkup(address)}">${mark}</a>`;
}

function detailText(outcome: PointOutcome | undefined): string {
  if (outcome === undefined) return '';
  const { codes, because, wave, task } = outcome;
  const where = wave === null ? '' : `\n${wave}/${task}`;
  const why = because === null ? '' : `: ${reasonWords[because.reason]}; ${because.detail}`;
  return `${codes.length === 0 ? '' : `: ${codes.join(', ')}`}${why}${where}`;
}

/** The shape of a state around a point, with its letter. */
function stateMark(state: PointState, { x, y }: { readonly x: number; readonly y: number }): string {
  return `${shapeOf(state, x, y)}<text class="letter" x="${x}" y="${y + 4}">${stateWords[state].letter}</text>`;
}

function shapeOf(state: PointState, x: number, y: number): string {
  const r = radius;
  switch (state) {
    case 'safe':
      return `<circle class="shape" cx="${x}" cy="${y}" r="${r}"/>`;
    case 'lost':
      return `<rect class="shape" x="${x - r}" y="${y - r}" width="${2 * r}" height="${2 * r}"/>`;
    case 'broke':
      return `<path class="shape" d="M${x} ${y - r - 3}L${x + r + 3} ${y}L${x} ${y + r + 3}L${x - r - 3} ${y}Z"/>`;
    case 'down':
      return `<path class="shape" d="M${x - r - 3} ${y - r + 1}L${x + r + 3} ${y - r + 1}L${x} ${y + r + 5}Z"/>`;
    case 'unproven':
      return `<circle class="shape" cx="${x}" cy="${y}" r="${r}" stroke-dasharray="3 3"/>`;
    case 'untried':
      return '';
  }
}

function legend(exploration: Exploration): readonly string[] {
  const counts = countStates(exploration);
  return pointStates.map((state, index) => {
    const at = { x: 20 + index * keyStep, y: height - 24 };
    const { word, says } = stateWords[state];
    return `<g class="point ${state}"><title>${escapeMarkup(says)}</title>${stateMark(state, at)}<text class="key" x="${at.x + 18}" y="${at.y + 4}">${word} ${counts[state]}</text></g>`;
  });
}

// Told apart by people who see no red or no green (Okabe and Ito), and dark enough for the letter on them.
const pictureStyle = `
.life{--ink:#1b1f24;--faint:#7a828c;--safe:#007a5e;--lost:#b3361b;--broke:#8a5a00;--down:#6a3d9a;--on:#fff;font:12px system-ui,sans-serif}
@media (prefers-color-scheme:dark){.life{--ink:#e6e9ed;--faint:#8b949e;--safe:#3fc39f;--lost:#ff8a6b;--broke:#f0b440;--down:#c3a2f0;--on:#10151b}}
.life text{fill:var(--ink)}
.life .lane,.life .tick{stroke:var(--faint);stroke-width:2}
.life .name{text-anchor:middle;font-size:10px;fill:var(--faint)}
.life .letter{text-anchor:middle;font-weight:700;fill:var(--on)}
.life .unproven .letter,.life .untried .letter{fill:var(--ink)}
.life .shape{stroke:none}
.life .safe .shape{fill:var(--safe)}
.life .lost .shape{fill:var(--lost)}
.life .broke .shape{fill:var(--broke)}
.life .down .shape{fill:var(--down)}
.life .unproven .shape{fill:none;stroke:var(--ink);stroke-width:1.5}
`;
