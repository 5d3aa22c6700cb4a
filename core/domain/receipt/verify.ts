import { BLEND_METHOD } from '../blend/method.js';
import { answerTo, type Stated } from './answer.js';
import { checkMembers, checkSame, isComposite } from './difference.js';
import { digestOf } from './digest.js';
import { inputName, isHeldBack } from './inputs.js';
import { recompute } from './recompute.js';
import { type Receipt, receiptSchema } from './schema.js';

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
