import type { Measured } from './bars.js';

/** An attack and its result. */
export interface Outcome {
  name: string;
  /** What was done, or why the attack was skipped. */
  done: string;
  /** Undefined where the attack was skipped. */
  measured?: Measured | undefined;
  /** Whether other load on the machine made times meaningless. */
  isBusy?: boolean;
  faults: readonly string[];
}

const MEASURED = [
  'memory',
  'after',
  '`/health/live` (bare server)',
  'cached answers',
  'raw rows: answered / refused, slowest; typical',
  'short responses',
  'no processor',
];

function cellsOf(measured: Measured): string[] {
  const { growthMb, leftMb, liveMs, bareMs, hotPercent, waitedPercent, cheapDelayMs } = measured;
  const { answered, refused, failed, rawMs, rawRatio } = measured;
  const failures = failed > 0 ? `, ${failed} failed` : '';
  return [
    `+${growthMb.toFixed(0)} MB`,
    `+${leftMb.toFixed(0)} MB`,
    `${liveMs.toFixed(0)} ms (${bareMs.toFixed(0)})`,
    `${hotPercent.toFixed(0)} %`,
    `${answered} / ${refused}${failures}, ${(rawMs / 1000).toFixed(1)} s; ${rawRatio.toFixed(1)} x`,
    `+${cheapDelayMs.toFixed(1)} ms`,
    `${waitedPercent.toFixed(0)} %`,
  ];
}

/** The outcomes as a table in Markdown. */
export function showTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ name, done, measured, faults, isBusy }) => {
    const held = isBusy ? 'yes, times not judged' : 'yes';
    const judged = measured === undefined ? 'skipped' : held;
    return [
      name,
      done,
      ...(measured ? cellsOf(measured) : MEASURED.map(() => '')),
      faults.length > 0 ? `**no**: ${faults.join('; ')}` : judged,
    ];
  });
  return markdownTable(['attack', 'what was tried', ...MEASURED, 'held'], rows);
}

/** A table in Markdown. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = (cell: string) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = [heading, heading.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n')}\n`;
}
