import type { UpstreamRequest } from '../relay/upstream-request.js';

export interface Translated {
  text: string;
  /** As requested, or as detected, or `und` if detection failed. */
  from: string;
}

export interface TranslationEngine {
  name: string;
  /** In the service's unit. The size of a text is the sum of the sizes of its parts. */
  sizeOf(text: string): number;
  pieceSize: number;
  /** The service's code for a BCP 47 tag. Tags with the same code are one language. */
  codeOf(tag: string): string;
  /** Without `from` the service detects the language. The response parses to an UpstreamError without a translation. */
  requestFor(piece: string, codes: Codes): UpstreamRequest<Translated | UnknownLanguage>;
}

export interface Codes {
  from: string | undefined;
  to: string;
}

export interface OpenEngine extends TranslationEngine {
  /** Throws an UnknownLanguage, or an UpstreamError. */
  translate(piece: string, codes: Codes, signal: AbortSignal): Promise<Translated>;
}

export class UnknownLanguage extends Error {
  override readonly name = 'UnknownLanguage';

  constructor(readonly side: 'from' | 'to') {
    super(`unknown language: ${side}`);
  }
}
