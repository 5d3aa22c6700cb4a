import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { excerpt } from '../../http/answer.js';
import type { HttpAnswer } from '../../http/client.js';
import { FeedError } from '../feed.js';

/** A piece of text and where its left end stands, in points from the page's lower left corner. */
export interface PdfText {
  x: number;
  y: number;
  text: string;
}

/** Pieces of text at one height, from left to right. */
export interface PdfLine {
  /** From 1. */
  page: number;
  y: number;
  pieces: readonly PdfText[];
  /** The pieces joined by single blanks. */
  text: string;
}

const MOST_PAGES = 20;
const MOST_PIECES = 100_000;

export function isPdf(answer: HttpAnswer): boolean {
  return Buffer.from(answer.bytes.subarray(0, 5)).toString('latin1') === '%PDF-';
}

/**
 * The lines of text of a PDF from top to bottom. Pieces whose heights differ by no more than `tolerance` points
 * make one line; blank pieces are left out. Throws a FeedError where it is no PDF, or one of more than 20 pages.
 */
export async function pdfLines(
  answer: HttpAnswer,
  { tolerance = 2 }: { tolerance?: number } = {},
): Promise<PdfLine[]> {
  if (!isPdf(answer))
    throw new FeedError(`${answer.url}: answered no PDF: blocked or moved (${excerpt(answer.text())})`);
  const task = getDocument({
    // A copy: the reader takes the bytes over.
    data: Uint8Array.from(answer.bytes),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: true,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    if (document.numPages > MOST_PAGES) throw new FeedError(`a PDF of ${document.numPages} pages`);
    const lines: PdfLine[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const { items } = await (await document.getPage(number)).getTextContent();
      if (items.length > MOST_PIECES) throw new FeedError(`a page of ${items.length} pieces of text`);
      const pieces = items.flatMap((item) =>
        'str' in item && item.str.trim() !== ''
          ? [{ x: Number(item.transform[4]), y: Number(item.transform[5]), text: item.str.trim() }]
          : [],
      );
      lines.push(...linesOf(pieces, number, tolerance));
    }
    return lines;
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new FeedError(`${answer.url}: a PDF that can't be read: ${what}`, { cause });
  } finally {
    await task.destroy();
  }
}

function linesOf(pieces: readonly PdfText[], page: number, tolerance: number): PdfLine[] {
  const lines: { y: number; pieces: PdfText[] }[] = [];
  for (const piece of pieces.toSorted((one, other) => other.y - one.y)) {
    const line = lines.at(-1);
    if (line && line.y - piece.y <= tolerance) line.pieces.push(piece);
    else lines.push({ y: piece.y, pieces: [piece] });
  }
  return lines.map((line) => {
    const ordered = line.pieces.toSorted((one, other) => one.x - other.x);
    return { page, y: line.y, pieces: ordered, text: ordered.map((piece) => piece.text).join(' ') };
  });
}
