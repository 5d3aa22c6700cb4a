import { expect, it } from 'vitest';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { sharedApi } from '../../../support/shared.js';
import { row } from '../sources/in-memory.js';
import { type Answer, openRoutes, type Routes } from './in-process.js';

/** What is asked, in process or over HTTP. */
interface Asked {
  ask(
    target: string,
    request?: AskedWith,
  ): Promise<Pick<Answer, 'status' | 'text' | 'type' | 'message' | 'faults'>>;
}
type AskedWith = Parameters<Routes['ask']>[1];

/** Routes on these rows alone, recorded at an instant before all that tests ask for. */
export function routesOn(rows: readonly string[], now: string): Routes {
  return openRoutes({ recorded: [{ at: '2001-01-01T00:00:00Z', rows }], now });
}

/** An API on a database with these rows, for tests that only read. */
export function served(rows: readonly string[], now: string): Asked {
  return {
    async ask(target, { headers = {} } = {}) {
      const { url } = await sharedApi(
        rows.map((text) => row(text)),
        { now },
      );
      const response = await fetch(url + target, { headers });
      const text = await response.text();
      const type = response.headers.get('content-type') ?? undefined;
      const { message, errors: faults = [] } = response.ok ? {} : JSON.parse(text);
      return { status: response.status, text, type, message, faults };
    },
  };
}

/** Rows as `openRoutes` takes them. */
export function textsOf(rows: readonly RawRow[]): string[] {
  return rows.map(({ provider, date, base, quote, rate }) => `${provider} ${date} ${base}/${quote} ${rate}`);
}

/**
 * What is answered, in a short form. Each row is a line such as `2026-03-17 EUR/USD 1.2 observed=2026-03-16`, and
 * rows of a list stand in brackets. Any other JSON, CSV and text is the body itself, and an error `422 base: invalid currency: ZZZ`, with its parameters.
 */
export async function shown({ ask }: Asked, target: string, request?: AskedWith): Promise<unknown> {
  const { status, text, type, message, faults } = await ask(target, request);
  const parameters = faults.map(({ parameter }) => parameter).join();
  if (status !== 200) return `${status} ${parameters && `${parameters}: `}${message}`;
  if (!type?.startsWith('application/json')) return text;
  const body: unknown = JSON.parse(text);
  if (Array.isArray(body)) return `[${body.map(lineOf).join(', ')}]`;
  return typeof body === 'object' && body !== null && 'rate' in body ? lineOf(body) : text;
}

function lineOf(row: Readonly<Record<string, unknown>>): string {
  const { amount, date, base, quote, rate, result, error, ...rest } = row;
  const others = Object.entries(rest).map(([name, value]) => ` ${name}=${textOf(value)}`);
  if (error !== undefined) return `${error}${others.join('')}`;
  const head = `${date} ${base}/${quote} ${rate}`;
  return `${result === undefined ? head : `${amount} ${head} = ${result}`}${others.join('')}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A test for each request: that it is answered so, in the form of `shown`. */
export function answers(routes: Asked, golden: Readonly<Record<string, unknown>>): void {
  it.each(Object.entries(golden))('%s', async (target, answer) => {
    expect(await shown(routes, target)).toEqual(answer);
  });
}

/** The tags of some answers, of which each must have one. Some are of other routes, or with headers. */
export async function tagsOf(
  routes: Routes,
  asked: readonly (string | readonly [target: string, routes: Routes, request?: AskedWith])[],
): Promise<string[]> {
  return Promise.all(
    asked.map(async (one) => {
      const [target, of, request] = typeof one === 'string' ? [one, routes] : one;
      const { tag } = await of.ask(target, request);
      return tag ?? expect.fail(`${target} has no tag`);
    }),
  );
}
