import type { HttpAnswer } from './http/client.js';

const oddRecords = new WeakMap<HttpAnswer, string[]>();

/** Keeps a record that a reader had to leave out, and why, for the response's Reading to count. */
export function addOddRecord(response: HttpAnswer, why: string): void {
  const known = oddRecords.get(response);
  if (known) known.push(why);
  else oddRecords.set(response, [why]);
}

/** The records left out so far, each given once. */
export function takeOddRecords(response: HttpAnswer): string[] {
  const taken = oddRecords.get(response) ?? [];
  oddRecords.delete(response);
  return taken;
}
