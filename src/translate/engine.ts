/** A piece of text in another language. */
export interface Translated {
  text: string;
  /** The language of the original: as requested, or as detected, or `und` if detection failed. */
  from: string;
}

/** A translation service. */
export interface TranslationEngine {
  /** Its name in responses. */
  name: string;
  /** The size of a text in the service's unit. The size of a text is the sum of the sizes of its parts. */
  sizeOf(text: string): number;
  /** The largest size that it accepts in one call. */
  pieceSize: number;
  /** Returns the service's code for a BCP 47 tag. The service treats tags with the same code as one language. */
  codeOf(tag: string): string;
  /**
   * Translates one piece, with the service's codes. Without `from` it detects the language. Throws an UnknownLanguage for an
   * unknown code, and an UpstreamError if there is no translation.
   */
  translate(
    piece: string,
    codes: { from: string | undefined; to: string },
    signal: AbortSignal,
  ): Promise<Translated>;
}

/** The engine does not support one of the languages. */
export class UnknownLanguage extends Error {
  override readonly name = 'UnknownLanguage';
  readonly side: 'from' | 'to';

  constructor(side: 'from' | 'to') {
    super(`unknown language: ${side}`);
    this.side = side;
  }
}
