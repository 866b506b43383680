/** explore.html: the picture of an exploration and, below it, the same as a table. One file that works offline. */
import {
  crashPoints,
  isFailure,
  latestOutcomes,
  pointName,
  type Exploration,
  type PointOutcome,
} from '../model/exploration.ts';
import { escapeMarkup } from './escape-markup.ts';
import { countText, failureGroups } from './explore-groups.ts';
import { explorePicture } from './explore-picture.ts';
import { commitText, effectText, pointStates, reasonWords, stateWords } from './explore-words.ts';
import { count, seconds } from './format.ts';
import { faultTitles } from './words.ts';

export interface ExplorePageOptions {
  readonly exploration: Exploration;
  /** The command that repeats one task of a wave. */
  readonly replay: (wave: string, task: string) => string;
}

/** The whole document. */
export function explorePage({ exploration, replay }: ExplorePageOptions): string {
  const { id, options } = exploration;
  const what = `${options.workload} · ${options.adapter} ${options.temperament} · ${options.fault} ${faultTitles[options.fault]} · ${options.target}`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeMarkup(id)}</title>`,
    `<style>${pageStyle}</style>`,
    '</head>',
    '<body>',
    `<h1>${escapeMarkup(id)}</h1>`,
    `<p>${escapeMarkup(what)}</p>`,
    `<p><strong>${escapeMarkup(headText(exploration))}</strong></p>`,
    `<div class="wide">${explorePicture(exploration, bundleOf)}</div>`,
    '<ul class="key">',
    ...pointStates.map(
      (state) =>
        `<li><b>${stateWords[state].letter} ${stateWords[state].word}</b>: ${escapeMarkup(stateWords[state].says)}</li>`,
    ),
    '</ul>',
    ...groupList(exploration),
    ...lifeTable(exploration, replay),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function headText(exploration: Exploration): string {
  const points = crashPoints(exploration.commits).length;
  return `${count(exploration.commits.length, 'commit')}, ${count(points, 'crash point')}: ${countText(exploration)}`;
}

function groupList(exploration: Exploration): readonly string[] {
  const groups = failureGroups(exploration);
  if (groups.length === 0) return [];
  const items = groups.map(({ codes, outcomes }) => {
    const points = outcomes.map(({ point }) => pointName(point)).join(', ');
    return `<li><code>${escapeMarkup(codes.join(' + '))}</code> (${count(outcomes.length, 'point')}): ${escapeMarkup(points)}</li>`;
  });
  return ['<h2>What broke together</h2>', '<ul>', ...items, '</ul>'];
}

function lifeTable(exploration: Exploration, replay: ExplorePageOptions['replay']): readonly string[] {
  const latest = latestOutcomes(exploration);
  const rows = exploration.commits.map((commit) => {
    const cells = crashPoints([commit]).map((point) => outcomeCell(latest.get(pointName(point)), replay));
    const head = `<th scope="row">${escapeMarkup(commit.id)}</th><td>${seconds(commit.afterMs)}</td><td><code>${escapeMarkup(commitText(commit))}</code></td>`;
    return `<tr>${head}${cells.join('')}</tr>`;
  });
  const names = ['commit', 'after', 'writes', 'crash before', 'crash after'];
  return [
    '<h2>The life of the task</h2>',
    '<div class="wide"><table>',
    `<thead><tr>${names.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows,
    '</tbody></table></div>',
  ];
}

function outcomeCell(outcome: PointOutcome | undefined, replay: ExplorePageOptions['replay']): string {
  if (outcome === undefined) return `<td>${stateWords.untried.letter}</td>`;
  const { effect, codes, because, wave, task } = outcome;
  const { letter } = stateWords[effect];
  const address = bundleOf(outcome);
  const name = `<b>${letter} ${escapeMarkup(effectText(outcome))}</b>`;
  const linked = address === null ? name : `<a href="${escapeMarkup(address)}">${name}</a>`;
  const reason = because === null ? [] : [`${reasonWords[because.reason]}; ${because.detail}`];
  const why = [...(codes.length === 0 ? [] : [codes.join(', ')]), ...reason].join(': ');
  const command = isFailure(effect) && wave !== null ? `<br><code>${escapeMarkup(replay(wave, task))}</code>` : '';
  return `<td class="${effect}">${linked} ${escapeMarkup(why)}${command}</td>`;
}

/** From results/explorations/<id>/. */
function bundleOf({ wave, task }: PointOutcome): string | null {
  return wave === null ? null : `../../waves/${wave}/tasks/${task}/`;
}

const pageStyle = `
:root{color-scheme:light dark}
body{font:15px/1.45 system-ui,sans-serif;margin:1.5rem;max-width:90rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:13px}
th,td{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top}
code{font-size:12px}
td code{overflow-wrap:anywhere}
.key{padding-left:1.2rem}
`;
