/** A piece of text in another language. */
export interface Translated {
  text: string;
  /** The language it was in, `und` where the engine was to detect it and didn't; else as asked. */
  from: string;
}

/** A translation service. */
export interface TranslationEngine {
  /** Named in answers. */
  name: string;
  /** Size of a text as the service counts it; that of a whole is the sum of its parts'. */
  sizeOf(text: string): number;
  /** Largest size that it takes in one call. */
  pieceSize: number;
  /** Its own code for a BCP 47 tag. Tags with the same code are one language to it. */
  codeOf(tag: string): string;
  /**
   * Translates one piece between codes of its own; without `from` it detects the language. Throws an
   * UnknownLanguage for a code that it doesn't know, an UpstreamError where there is no translation.
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
