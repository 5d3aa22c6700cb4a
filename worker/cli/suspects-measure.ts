import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import type { Suspect } from '../../core/domain/blend/suspect.js';
import { fromDayNumber } from '../../core/domain/dates.js';
import { isBlended } from '../../core/domain/providers.js';
import { projectFolder } from '../../core/process/project-files.js';
import { seededRandom } from '../feeds/damage/random.js';
import { areOfOtherDays } from '../truth/explanations.js';
import { readAllRecordedRates } from './recorded-rates.js';
import { FAULTS } from './suspects-measure/faults.js';
import { type Cell, judgeUntouched, measure, SOURCES } from './suspects-measure/measure.js';

/** One false alarm at most among so many rows. */
const ROWS_PER_FALSE_ALARM = 10_000;
/** Others contradict a figure from here on, in logarithms. */
const CONTRADICTED = 0.05;

/**
 * `suspects-measure [--from FOLDER] [--draws N] [--seed N] [--json FILE]`: puts errors into recorded rates and prints
 * how many are caught on their day, and what is suspect among the rates as they are. Exit code 1 where a bar is missed.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string', default: join(projectFolder, '..', 'shared', 'feeds') },
      draws: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const rows = await readAll(values.from);
  const { suspects, targets } = judgeUntouched(rows);
  const random = seededRandom(values.seed);
  const cells = measure(rows, targets, { draws: Number(values.draws), random });
  const falseAlarms = suspects.filter(isFalseAlarm);
  const text = [
    ...tableOf(cells),
    '',
    `${rows.length} rows as they were recorded: ${suspects.length} suspects, ${falseAlarms.length} false alarms`,
    '',
    ...suspects.map((suspect) => `${lineOf(suspect)}: ${whatItWas(suspect)}`),
  ];
  process.stdout.write(`${text.join('\n')}\n`);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(cells.map(plain), null, 1));
  const isMissed = ({ fault, draws, caught }: Cell) => caught < (fault.bar ?? 0) * draws;
  return cells.some(isMissed) || falseAlarms.length * ROWS_PER_FALSE_ALARM >= rows.length ? 1 : 0;
}

/** The recorded rows that may be blended, but for those whose figures are of other days. */
async function readAll(folder: string): Promise<RawRow[]> {
  const { rows } = await readAllRecordedRates(folder, pino({ level: 'silent' }));
  const read = rows.filter(({ provider, date }) => isBlended(provider) && !areOfOtherDays(provider, date));
  return read.sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));
}

/** A figure that was right: it was confirmed, and no other source of its day contradicted it. */
function isFalseAlarm(suspect: Suspect): boolean {
  return suspect.status === 'confirmed' && !isContradicted(suspect);
}

function isContradicted({ rate, expected, others }: Suspect): boolean {
  return others > 0 && Math.abs(Math.log(rate / expected)) > CONTRADICTED;
}

function whatItWas(suspect: Suspect): string {
  if (isFalseAlarm(suspect)) return 'right, confirmed by the next rate or another source';
  if (isContradicted(suspect)) {
    const repeated = suspect.status === 'confirmed' ? ', and repeated' : '';
    return `contradicted by ${suspect.others} other${suspect.others > 1 ? 's' : ''}${repeated}`;
  }
  return 'gone with the next rate';
}

function lineOf({ series: { provider, base, quote }, day, rate, expected, reason }: Suspect): string {
  return `${provider} ${fromDayNumber(day)} ${base}/${quote} ${rate}, expected ${expected.toPrecision(5)}, ${reason}`;
}

function* tableOf(cells: readonly Cell[]): Generator<string> {
  yield `| error | ${SOURCES.map((sources) => `${sources}${sources === 1 ? ' source' : ' and more'}`).join(' | ')} |`;
  yield `| --- |${SOURCES.map(() => ' ---: |').join('')}`;
  for (const fault of FAULTS) {
    const shares = cells
      .filter((cell) => cell.fault === fault)
      .map(({ draws, caught }) => share(caught, draws));
    yield `| ${fault.name} | ${shares.join(' | ')} |`;
  }
}

function share(caught: number, draws: number): string {
  return draws === 0 ? '–' : `${((100 * caught) / draws).toFixed(1)} %`;
}

function plain({ fault, sources, draws, caught }: Cell) {
  return { fault: fault.name, sources, draws, caught };
}

process.exitCode = await main();
