import type { Measured } from './bars.js';

/** One attack and what came of it. */
export interface Outcome {
  name: string;
  /** What was done, or why it was not. */
  done: string;
  measured?: Measured | undefined;
  /** Whether the machine was too busy by itself to judge by times. */
  isBusy?: boolean;
  faults: readonly string[];
  /** Further tables. */
  details?: readonly string[];
}

const HEADING = [
  'attack',
  'what was tried',
  'memory',
  'after',
  '`/health/live` (bare server)',
  'cached answers',
  'raw rows: answered / refused, slowest; typical',
  'short responses',
  'no processor',
  'held',
];

/** The outcomes as a table in Markdown. */
export function showTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ name, done, measured, faults, isBusy }) => [
    name,
    done,
    ...(measured
      ? [
          `+${measured.growthMb.toFixed(0)} MB`,
          `+${measured.leftMb.toFixed(0)} MB`,
          `${measured.liveMs.toFixed(0)} ms (${measured.bareMs.toFixed(0)})`,
          `${measured.hotPercent.toFixed(0)} %`,
          `${measured.raw}; ${measured.rawRatio.toFixed(1)} x`,
          `+${measured.cheapDelayMs.toFixed(1)} ms`,
          `${measured.waitedPercent.toFixed(0)} %`,
        ]
      : ['', '', '', '', '', '', '']),
    faults.length > 0
      ? `**no**: ${faults.join('; ')}`
      : measured
        ? isBusy
          ? 'yes, times not judged'
          : 'yes'
        : 'skipped',
  ]);
  return markdownTable(HEADING, rows);
}

/** A table in Markdown. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, heading.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`).join('\n')}\n`;
}
