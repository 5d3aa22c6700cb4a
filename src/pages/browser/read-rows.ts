import type { RateRow } from '../shared/rows.js';
import { linesOf } from './lines-of.js';

const ROW_A_LINE = 'application/x-ndjson';

/** The rows that answer a path and query. Throws where they can't be read. */
export async function readRows(target: string, signal: AbortSignal): Promise<RateRow[]> {
  const response = await request(target, 'application/json', signal);
  return (await response.json()) as RateRow[];
}

/** The same rows one by one, while they arrive. */
export async function* streamRows(target: string, signal: AbortSignal): AsyncGenerator<RateRow> {
  const response = await request(target, ROW_A_LINE, signal);
  for await (const line of linesOf(response)) yield JSON.parse(line) as RateRow;
}

/** The names of all providers, by their keys. */
export async function readNames(signal: AbortSignal): Promise<{ key: string; name: string }[]> {
  const response = await request('/v2/providers', 'application/json', signal);
  return (await response.json()) as { key: string; name: string }[];
}

async function request(target: string, accept: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(target, { signal, headers: { accept } });
  if (!response.ok) throw new Error(`${response.status} for ${target}`);
  return response;
}
