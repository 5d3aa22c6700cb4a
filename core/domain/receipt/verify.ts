import { BLEND_METHOD } from '../blend/method.js';
import { answerTo, type Stated } from './answer.js';
import { differenceOf, isComposite } from './difference.js';
import { digestOf } from './digest.js';
import { inputName, isHeldBack } from './inputs.js';
import { recompute } from './recompute.js';
import { type Receipt, receiptSchema } from './schema.js';

export type Verdict = { rate: number; base: string; quote: string; date: string } | { wrong: string };

/** Recomputes a receipt and compares everything. `text` is the JSON of a receipt, or of a response with one. */
export function verify(text: string): Verdict {
  const parsed = parse(text);
  if ('wrong' in parsed) return parsed;
  const wrong = firstDifference(parsed);
  if (wrong !== undefined) return { wrong };
  const { rate, base, quote, date } = parsed.receipt.steps.ratio;
  return { rate, base: base.currency, quote: quote.currency, date };
}

/** A receipt without unknown members, the receipt as stated, and the response that contained it. */
interface Parsed {
  receipt: Receipt;
  stated: Stated & Receipt;
  answer: Stated | undefined;
}

function parse(text: string): Parsed | { wrong: string } {
  const value = readJson(text);
  if (!isComposite(value)) return { wrong: 'the file is not a JSON object' };
  if (countMembers(text) !== countMembers(JSON.stringify(value)))
    return { wrong: 'the file has a member twice' };
  const answer = Object.hasOwn(value, 'receipt') ? value : undefined;
  const stated = answer ? answer.receipt : value;
  const method = isComposite(stated) ? stated.method : undefined;
  if (typeof method === 'number' && method !== BLEND_METHOD) {
    const wrong = `method: the receipt is of method ${method}, and this program can only verify method ${BLEND_METHOD}`;
    return { wrong };
  }
  const found = receiptSchema.safeParse(stated);
  if (found.success) return { receipt: found.data, stated: stated as Parsed['stated'], answer };
  const [issue] = found.error.issues;
  const path = [...(answer ? ['receipt'] : []), ...(issue?.path ?? [])].join('.');
  return { wrong: ['the file holds no valid receipt', path, issue?.message].filter(Boolean).join(': ') };
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

function firstDifference({ receipt, stated, answer }: Parsed): string | undefined {
  const again = recomputed(receipt);
  if ('wrong' in again) return again.wrong;
  const { asked, computed } = again;
  for (const [index, input] of computed.inputs.entries()) {
    const wrong = differenceOf('', input, stated.inputs[index]);
    if (wrong !== undefined) return `inputs ${inputName(input)}: ${wrong}`;
  }
  return (
    differenceOf('', computed, stated) ??
    differenceOfHashes(receipt) ??
    (answer && differenceOf('', answerTo(asked, computed, answer), answer))
  );
}

function recomputed(receipt: Receipt): ReturnType<typeof recompute> {
  try {
    return recompute(receipt);
  } catch (error) {
    if (error instanceof RangeError) return { wrong: error.message };
    throw error;
  }
}

/** Checks the hash of each input, then that of the whole. Each fault names what may have been changed. */
function differenceOfHashes(receipt: Receipt): string | undefined {
  for (const input of receipt.inputs) {
    const unchecked = isHeldBack(input)
      ? 'rate, left_out, judgement, recorded_at or evidence'
      : 'judgement, recorded_at or evidence';
    const path = `inputs ${inputName(input)}: ${unchecked}, by its sha256`;
    const wrong = differenceOf(path, digestOf(input), input.sha256);
    if (wrong !== undefined) return wrong;
  }
  return differenceOf('sha256', digestOf(receipt), receipt.sha256);
}
