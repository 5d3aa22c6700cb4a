import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { RunCounts } from '../../core/database/ingest-runs.js';
import type { Clock } from '../../core/domain/dates.js';
import { plainDecimal } from '../../core/domain/rounding.js';
import { type Config, readConfig } from '../../core/process/config.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { CANNOT_START } from '../../core/process/lifecycle.js';
import { createLogger, withQuietLog } from '../../core/process/logger.js';
import { elapsedText, openProgress, type Progress } from '../../core/process/progress.js';
import { startFailure } from '../../core/process/start-failure.js';
import type { RateRow } from '../feeds/feed.js';

/** The environment of a command line, from the process or from a test. */
export interface CliEnvironment {
  variables: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stdin: Readable;
  /** Data only. */
  stdout: Writable & { isTTY?: boolean };
  /** Messages, logs and progress. */
  stderr: Writable & { isTTY?: boolean };
  stopping: AbortSignal;
}

export interface Session extends CliEnvironment {
  config: Config;
  log: Logger;
  progress: Progress;
  /** On the clock of `performance.now()`. */
  startedAt: number;
  /** Close what the command has opened, at its end, the last first. */
  closings: (() => Promise<unknown>)[];
}

export interface CommandDefinition {
  /** The end of its help. */
  help?: string;
  /** Adds the arguments, the options and the action. */
  define(command: Command, session: Session): unknown;
}

/** Throws a ConfigurationError. Without LOG_LEVEL only warnings and errors are logged. */
export function openSession(environment: CliEnvironment): Session {
  const config = readConfig(withQuietLog(environment.variables));
  const log = createLogger(config, 'cli', { to: 'stderr' });
  const progress = openProgress(environment.stderr);
  return { ...environment, config, log, progress, startedAt: performance.now(), closings: [] };
}

export async function endSession(session: Pick<Session, 'progress' | 'closings'>): Promise<void> {
  session.progress.stop();
  const close = session.closings.pop();
  await close?.().finally(() => endSession(session));
}

export function say(session: Pick<Session, 'stderr'>, message: string): void {
  session.stderr.write(`${message}\n`);
}

/** The last message of a command that may take long: what it has done, and in what time. */
export function sayDone(session: Session, what: string): void {
  session.progress.stop();
  say(session, `${what} in ${elapsedText(performance.now() - session.startedAt)}`);
}

export const EXIT = { ok: 0, failed: 1, usage: 2, cannotStart: CANNOT_START, interrupted: 130 } as const;

/** A command that failed in part or in whole. The message is empty if the failure was already printed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export function failureLine(error: unknown): string {
  const text = startFailure(error) ?? reasonOf(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Whether the reader of the output has closed it, as `head` does. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/** Writes lines with back-pressure. Throws if the reader has closed the output. */
export async function printLines(output: Writable, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(withLineEnds(lines)), output, { end: false });
}

function* withLineEnds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/** Formats rates, one per line: `["2026-03-02","EUR","USD",1.0845]`, with buy and sell after the rate if it has them. */
export function* rateLines(rows: Iterable<RateRow>): Generator<string> {
  for (const { date, base, quote, rate, buy = null, sell = null } of rows) {
    const sides = buy === null && sell === null ? [] : [buy, sell];
    yield JSON.stringify([date, base, quote, rate, ...sides]);
  }
}

/** The rows that were stored, and those that were not, by reason. */
export function countsText(
  { rowsNew, rowsCorrected, rowsUnchanged }: Omit<RunCounts, 'rowsDropped'>,
  dropped: Readonly<Record<string, number>>,
): string {
  const reasons = Object.entries(dropped).map(([reason, count]) => `, ${count} dropped (${reason})`);
  return `${rowsNew} new, ${rowsCorrected} corrected, ${rowsUnchanged} unchanged${reasons.join('')}`;
}

type Cells = readonly (string | number)[];

/** Prints rows under their titles with aligned columns. Numbers, and blanks among them, are aligned right. */
export async function printTable(output: Writable, titles: Cells, rows: readonly Cells[]): Promise<void> {
  const columns = titles.map((title, column) => {
    const cells = rows.map((row) => row[column] ?? '');
    const texts = [title, ...cells].map((cell) => (typeof cell === 'number' ? plainDecimal(cell) : cell));
    const width = Math.max(...texts.map((text) => text.length));
    const isNumeric = cells.length > 0 && cells.every((cell) => typeof cell === 'number' || cell === '');
    return texts.map((text) => text[isNumeric ? 'padStart' : 'padEnd'](width));
  });
  const lines = [titles, ...rows].map((_, row) => {
    const line = columns.map((texts) => texts[row]).join('  ');
    return line.trimEnd();
  });
  await printLines(output, lines);
}
