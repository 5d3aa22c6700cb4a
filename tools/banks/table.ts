import { markdownTable } from '../attack/table.js';
import { groupBy } from '../truth/group-by.js';
import { type Day, plus } from './day.js';
import type { Cell, Outcome } from './rehearsal.js';
import { scenarios } from './scenarios.js';

/** The last three are defects, and so in capitals. */
const OUTCOMES: Readonly<Record<Outcome, string>> = {
  right: 'right',
  error: 'error',
  counted: 'COUNTED',
  lost: 'LOST',
  wrong: 'WRONG',
};
const LONGEST_SENTENCE = 160;
const SOURCES_NAMED = 4;

/** What a day takes of each source, and of all of them. */
export function dayTable(days: readonly Day[]): string {
  const all = days.reduce(
    (sum, { everySlot, planned }) => ({
      everySlot: plus(sum.everySlot, everySlot),
      planned: plus(sum.planned, planned),
    }),
    { everySlot: { requests: 0, bytes: 0 }, planned: { requests: 0, bytes: 0 } },
  );
  const total = { key: '**all**', slots: '', ...all };
  return markdownTable(
    ['source', 'slots', 'requests', 'at every slot', 'KB', 'at every slot'],
    [...days, total].map(({ key, slots, everySlot, planned }) =>
      [
        key,
        slots,
        planned.requests,
        everySlot.requests,
        Math.round(planned.bytes / 1024),
        Math.round(everySlot.bytes / 1024),
      ].map(String),
    ),
  );
}

/** How readings ended, a line a scenario. */
export function scenarioTable(cells: readonly Cell[]): string {
  const rows = [...groupBy(cells, ({ scenario }) => scenario)].map(([name, own]) => {
    const { does, ends } = scenarios[name];
    const counts = Object.keys(OUTCOMES).map(
      (outcome) => own.filter((cell) => cell.outcome === outcome).length,
    );
    return [name, does, ends.join(', then '), ...counts.map((count) => (count > 0 ? String(count) : ''))];
  });
  return markdownTable(['scenario', 'the bank', 'has to end', ...Object.values(OUTCOMES)], rows);
}

/** The sentences of errors without what differs from source to source, a line for each in a scenario. */
export function errorTable(cells: readonly Cell[]): string {
  const errors = cells.filter(({ outcome }) => outcome === 'error');
  const rows = [...groupBy(errors, ({ scenario }) => scenario)].flatMap(([name, own]) =>
    [...groupBy(own, ({ what }) => sentenceOf(what))]
      .toSorted(([, some], [, others]) => others.length - some.length)
      .map(([sentence, some]) => [name, sentence, String(some.length), sourcesOf(some)]),
  );
  return markdownTable(['scenario', 'error', 'readings', 'sources'], rows);
}

/** What each source was asked as it was recorded, and in the scenario in which a reading took most requests. */
export function sourceTable(cells: readonly Cell[]): string {
  const rows = [...groupBy(cells, ({ key }) => key)].map(([key, own]) => {
    const plain = own.filter(({ scenario }) => scenario === 'as-recorded');
    const each = [...groupBy(own, ({ scenario }) => scenario)].map(
      ([name, some]) => [name, sum(some, 'requests') / scenarios[name].ends.length] as const,
    );
    const [name, most] = each.reduce((one, other) => (other[1] > one[1] ? other : one));
    return [key, sum(plain, 'requests'), sum(plain, 'bytes'), `${most} (${name})`].map(String);
  });
  return markdownTable(['source', 'requests', 'bytes', 'most requests'], rows);
}

function sum(cells: readonly Cell[], of: 'requests' | 'bytes'): number {
  return cells.reduce((total, cell) => total + cell[of], 0);
}

function sentenceOf(what: string): string {
  const sentence = what
    .replaceAll(/https?:\/\/[^\s"]*[^\s",;:)]/g, '…')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/(?<!status \d{0,2})\d+/g, '#');
  return sentence.length > LONGEST_SENTENCE ? `${sentence.slice(0, LONGEST_SENTENCE)}…` : sentence;
}

function sourcesOf(cells: readonly Cell[]): string {
  const keys = [...new Set(cells.map(({ key }) => key))];
  const others = keys.length - SOURCES_NAMED;
  return `${keys.slice(0, SOURCES_NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
