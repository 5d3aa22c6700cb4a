import type { Clock } from '../../core/domain/dates.js';
import { parameterError } from '../http/errors.js';
import type { openCachedCopies } from '../relay/relay.js';
import type { Upstream } from '../relay/upstream.js';
import type { UpstreamRequest } from '../relay/upstream-request.js';
import { UNDETERMINED, withoutRegion } from './languages.js';

export interface Translated {
  text: string;
  /** As requested, or as detected, or `und` if detection failed. */
  from: string;
}

export interface TranslationEngine {
  name: string;
  /** How much of a text, from its beginning, one request may contain. In UTF-16 units, but never half a character. */
  fitting(text: string): number;
  /** The service's code for a BCP 47 tag. Tags with the same code are one language. */
  codeOf(tag: string): string;
  /** Without `from` the service detects the language. The response parses to an UpstreamError without a translation. */
  requestFor(piece: string, codes: Codes): UpstreamRequest<Translated | UnknownLanguage>;
}

export interface Codes {
  from: string | undefined;
  to: string;
}

/** An engine, and what one request for a translation uses. */
export interface Translator {
  engine: TranslationEngine;
  upstream: Upstream;
  clock: Clock;
  /** Absent if pieces are not kept. */
  copies?: ReturnType<typeof openCachedCopies<Translated>>;
  signal: AbortSignal;
}

export class UnknownLanguage extends Error {
  override readonly name = 'UnknownLanguage';

  constructor(readonly side: 'from' | 'to') {
    super(`unknown language: ${side}`);
  }
}

/** Languages are BCP 47 tags; without `from`, the language is detected. */
export interface TranslationRequest extends Codes {
  text: string;
}

/** Retries without an unsupported region. Throws a 400 for an unknown language, or an UpstreamError. */
export async function translate(translator: Translator, request: TranslationRequest): Promise<Translated> {
  try {
    return await translatePieces(translator, request);
  } catch (error) {
    if (!(error instanceof UnknownLanguage)) throw error;
    const { side } = error;
    const wider = widened(request, side, translator.engine);
    if (!wider) throw parameterError(400, side, `${side} is not a language that can be translated`);
    return translate(translator, wider);
  }
}

function widened(request: TranslationRequest, side: 'from' | 'to', engine: TranslationEngine) {
  const tag = request[side];
  if (tag === undefined) return undefined;
  const wider = withoutRegion(tag);
  return engine.codeOf(wider) === engine.codeOf(tag) ? undefined : { ...request, [side]: wider };
}

async function translatePieces(
  translator: Translator,
  { text, from, to }: TranslationRequest,
): Promise<Translated> {
  const [first = text, ...rest] = cutIntoPieces(text, translator.engine);
  // All pieces use the language that is detected for the first.
  const opening = await translatePiece(translator, { text: first, from, to });
  const known = from ?? (opening.from === UNDETERMINED ? undefined : opening.from);
  const others = rest.map((piece) => translatePiece(translator, { text: piece, from: known, to }));
  const pieces = [opening, ...(await Promise.all(others))];
  const detected = pieces.find((piece) => piece.from !== UNDETERMINED)?.from ?? UNDETERMINED;
  return { text: pieces.map((piece) => piece.text).join(''), from: from ?? detected };
}

/**
 * From a copy, or by the engine. Engines trim pieces, so the white space around one is restored here. A blank piece is not
 * sent. Throws an UnknownLanguage, or an UpstreamError.
 */
async function translatePiece(
  { engine, upstream, clock, copies, signal }: Translator,
  { text, from, to }: TranslationRequest,
): Promise<Translated> {
  const codes = { from: from === undefined ? undefined : engine.codeOf(from), to: engine.codeOf(to) };
  if (from !== undefined && codes.from === codes.to) return { text, from };
  const core = text.trim();
  if (core === '') return { text, from: UNDETERMINED };
  const key = JSON.stringify([codes.from, codes.to, core]);
  const kept = await copies?.read(key);
  const outcome = kept?.value ?? (await upstream.send(engine.requestFor(core, codes), signal));
  if (outcome instanceof UnknownLanguage) throw outcome;
  if (!kept) await copies?.write(key, { fetchedAt: clock().getTime(), value: outcome });
  const start = text.indexOf(core);
  const translated = text.slice(0, start) + outcome.text.trim() + text.slice(start + core.length);
  return { ...outcome, text: translated };
}

/** From the best places to cut to the last resort. */
const segmenters = (['sentence', 'word', 'grapheme'] as const).map(
  (granularity) => new Intl.Segmenter(undefined, { granularity }),
);

/** As few as possible: cut at sentence ends, else word ends, else between characters. Joined, they are the text. */
export function cutIntoPieces(text: string, { fitting }: Pick<TranslationEngine, 'fitting'>): string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== ''; rest = rest.slice(pieces.at(-1)?.length)) {
    pieces.push(rest.slice(0, endOfPiece(rest, fitting(rest))));
  }
  return pieces;
}

/** At most `most`. */
function endOfPiece(text: string, most: number): number {
  if (most === text.length) return most;
  for (const segmenter of segmenters) {
    const segments = segmenter.segment(text);
    let next = segments.containing(most);
    // Blanks and punctuation stay with the word before them.
    while (next?.isWordLike === false) next = segments.containing(next.index - 1);
    if (next && next.index > 0) return next.index;
  }
  return most;
}
