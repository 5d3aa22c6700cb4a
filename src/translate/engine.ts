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
  /** Without `from` detects the language. Throws an UnknownLanguage, or an UpstreamError without a translation. */
  translate(
    piece: string,
    codes: { from: string | undefined; to: string },
    signal: AbortSignal,
  ): Promise<Translated>;
}

export class UnknownLanguage extends Error {
  override readonly name = 'UnknownLanguage';

  constructor(readonly side: 'from' | 'to') {
    super(`unknown language: ${side}`);
  }
}
