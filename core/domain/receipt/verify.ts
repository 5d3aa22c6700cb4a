import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import canonicalize from 'canonicalize';
import { BLEND_METHOD } from '../providers.js';
import { type Asked, addressOf, askedBy } from './address.js';
import { answerTo, type Stated } from './answer.js';
import { checkMembers, checkSame, isComposite } from './difference.js';
import { inputName, isHeldBack } from './inputs.js';
import { remadeOfBlend } from './remade-blend.js';
import { type Receipt, receiptSchema } from './schema.js';
import { remadeOfSource } from './source-rate.js';

export type Verdict = { rate: number; base: string; quote: string; date: string } | { wrong: string };

/** Recomputes a receipt and compares everything. `text` is the JSON of a receipt, or of a response with one. */
export function verify(text: string): Verdict {
  try {
    const parsed = parse(text);
    check(parsed);
    const { rate, base, quote, date } = parsed.receipt.steps.ratio;
    return { rate, base: base.currency, quote: quote.currency, date };
  } catch (error) {
    if (error instanceof RangeError) return { wrong: error.message };
    throw error;
  }
}

/** A receipt without unknown members, the receipt as stated, and the response that contained it. */
interface Parsed {
  receipt: Receipt;
  stated: Stated & Receipt;
  answer: Stated | undefined;
}

function parse(text: string): Parsed {
  const value = readJson(text);
  if (!isComposite(value)) throw new RangeError('the file is not a JSON object');
  if (countMembers(text) !== countMembers(JSON.stringify(value)))
    throw new RangeError('the file has a member twice');
  const answer = Object.hasOwn(value, 'receipt') ? value : undefined;
  const stated = answer ? answer.receipt : value;
  const method = isComposite(stated) ? stated.method : undefined;
  if (typeof method === 'number' && method !== BLEND_METHOD) {
    throw new RangeError(
      `method: the receipt is of method ${method}, and this program can only verify method ${BLEND_METHOD}`,
    );
  }
  const found = receiptSchema.safeParse(stated);
  if (found.success) return { receipt: found.data, stated: stated as Parsed['stated'], answer };
  const [issue] = found.error.issues;
  const path = [...(answer ? ['receipt'] : []), ...(issue?.path ?? [])].join('.');
  throw new RangeError(['the file holds no valid receipt', path, issue?.message].filter(Boolean).join(': '));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Counts the members of all objects in a JSON text. */
function countMembers(text: string): number {
  return [...text.matchAll(STRING)].filter(([, colon]) => colon !== undefined).length;
}

function check({ receipt, stated, answer }: Parsed): void {
  const { asked, computed } = recompute(receipt);
  for (const [index, input] of computed.inputs.entries())
    checkMembers(`inputs ${inputName(input)}: `, input, stated.inputs[index] ?? {});
  checkMembers('', computed, stated);
  checkHashes(receipt);
  if (answer) checkMembers('', answerTo(asked, computed, answer), answer);
}

/** Checks the hash of each input, then that of the whole. Each fault names what may have been changed. */
function checkHashes(receipt: Receipt): void {
  for (const input of receipt.inputs) {
    const unchecked = isHeldBack(input)
      ? 'rate, left_out, judgement, recorded_at or evidence'
      : 'judgement, recorded_at or evidence';
    checkSame(`inputs ${inputName(input)}: ${unchecked}, by its sha256`, digestOf(input), input.sha256);
  }
  checkSame('sha256', digestOf(receipt), receipt.sha256);
}

/** Takes the days of the dollar and of pegs, and all hashes, as stated. Throws a RangeError that says what is wrong. */
function recompute(receipt: Receipt): { asked: Asked; computed: Receipt } {
  const asked = askedBy(receipt.url);
  checkRows(receipt, asked);
  const isOfSource = asked.providers?.length === 1;
  const remade = (isOfSource ? remadeOfSource : remadeOfBlend)(receipt, asked);
  const known = new Map(remade.inputs.map((input) => [inputName(input), input]));
  const inputs = receipt.inputs.map((input) => {
    const own = known.get(inputName(input));
    if (!own) throw new RangeError(`inputs ${inputName(input)}: has no part in the rate`);
    return own;
  });
  const knownAt = new Date(receipt.known_at).toISOString();
  const url = addressOf({ ...asked, asOf: knownAt });
  const { sha256 } = receipt;
  const { steps } = remade;
  return { asked, computed: { url, known_at: knownAt, method: BLEND_METHOD, inputs, steps, sha256 } };
}

/** Checks that inputs are in order, unique, requested, recorded by `known_at`, and the same for all currencies. */
function checkRows({ inputs, known_at: knownAt }: Receipt, { providers }: Asked): void {
  const facts = new Map<string, object>();
  for (const [index, input] of inputs.entries()) {
    const before = inputs[index - 1];
    const { provider, base, quote, date, rate, recorded_at: recordedAt, evidence, judgement } = input;
    if (before && inputName(before) >= inputName(input))
      throw new RangeError(`inputs.${index}: out of order: ${inputName(input)}`);
    if (Date.parse(recordedAt) > Date.parse(knownAt))
      throw new RangeError(`inputs.${index}.recorded_at: ${recordedAt} is later than known_at`);
    if (providers && !providers.includes(provider))
      throw new RangeError(`url: providers: does not name ${provider}`);
    const row = `${provider} ${base}/${quote} ${date}`;
    const own = { rate, recordedAt, evidence, judgement };
    if (!isDeepStrictEqual(facts.get(row) ?? own, own))
      throw new RangeError(`inputs ${inputName(input)}: differs from the same row for another currency`);
    facts.set(row, own);
  }
}

/** Hexadecimal SHA-256 of the canonical JSON (RFC 8785), without its own `sha256`. */
export function digestOf({ sha256: _, ...rest }: { sha256?: string | undefined }): string {
  return hash('sha256', canonicalize(rest) ?? '', 'hex');
}

export function sealed<T extends object>(content: T): T & { sha256: string } {
  return { ...content, sha256: digestOf(content) };
}
