/** A piece of text in another language. */
export interface Translated {
  text: string;
  /** The language of the original: as requested, or as detected, or `und` if detection failed. */
  from: string;
}

/** A translation service. */
export interface TranslationEngine {
  /** As named in responses. */
  name: string;
  /** The size of a text as the service counts it. The size of a text is the sum of the sizes of its parts. */
  sizeOf(text: string): number;
  /** The largest size that it accepts in one call. */
  pieceSize: number;
  /** Its own code for a BCP 47 tag. Tags with the same code are one language to it. */
  codeOf(tag: string): string;
  /**
   * Translates one piece between its own codes. Without `from` it detects the language. Throws an
   * UnknownLanguage for a code that it doesn't know, an UpstreamError if there is no translation.
   */
  translate(
    piece: string,
    codes: { from: string | undefined; to: string },
    signal: AbortSignal,
  ): Promise<Translated>;
}

/** The engine doesn't know one of the languages. */
export class UnknownLanguage extends Error {
  override readonly name = 'UnknownLanguage';
  readonly side: 'from' | 'to';

  constructor(side: 'from' | 'to') {
    super(`unknown language: ${side}`);
    this.side = side;
  }
}
