import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { reasonOf } from '../../../core/process/connection-errors.js';
import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';
import { openPdfThread } from './pdf-thread.js';

/** A piece of text and the position of its left end, in points from the lower left corner of the page. */
export interface PdfText {
  x: number;
  y: number;
  /** In points. */
  width: number;
  text: string;
}

/** Pieces of text at the same height, from left to right. */
export interface PdfLine {
  page: number;
  y: number;
  pieces: readonly PdfText[];
  text: string;
}

/** pdf.js's tables that map codes of East Asian fonts to characters. */
const CHARACTER_MAPS = join(
  dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'cmaps',
  '/',
);
/** For a bulletin. The archive of a year has more. */
const MOST_PAGES = 20;
const MOST_PIECES = 100_000;

export function isPdf(answer: HttpAnswer): boolean {
  return Buffer.from(answer.bytes.subarray(0, 5)).toString('latin1') === '%PDF-';
}

/**
 * The lines of text of a PDF from top to bottom. Pieces whose heights differ by at most `tolerance` points form one line.
 * Throws a FeedError if it is not a PDF, has more than `mostPages`, or is larger than any bulletin.
 */
export async function pdfLines(
  answer: HttpAnswer,
  { tolerance = 2, mostPages = MOST_PAGES }: { tolerance?: number; mostPages?: number } = {},
): Promise<PdfLine[]> {
  if (!isPdf(answer)) {
    throw new FeedError(`${answer.url}: responded with no PDF: blocked or moved (${excerpt(answer.text())})`);
  }
  const thread = openPdfThread();
  try {
    const pages = await Promise.race([textsOf(answer.bytes, thread.port, mostPages), thread.failed]);
    return pages.flatMap((texts, index) => linesOf(texts, index + 1, tolerance));
  } catch (cause) {
    throw new FeedError(`${answer.url}: a PDF that can't be read: ${reasonOf(cause)}`, { cause });
  } finally {
    await thread.close();
  }
}

/** Loads the reader. It needs these classes of an optional package to draw; stubs are enough here. */
async function loadPdfJs() {
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value: class {}, configurable: true });
  }
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

async function textsOf(bytes: Uint8Array, port: MessagePort, mostPages: number): Promise<PdfText[][]> {
  const { getDocument, PDFWorker, VerbosityLevel } = await loadPdfJs();
  const document = await getDocument({
    // A copy, because the reader takes ownership of the bytes.
    data: Uint8Array.from(bytes),
    worker: PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS }),
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    // Without these tables, text in the fonts' own encodings, such as of Japanese fonts, would be missing.
    cMapUrl: CHARACTER_MAPS,
    cMapPacked: true,
    stopAtErrors: true,
  }).promise;
  if (document.numPages > mostPages) throw new FeedError(`it has ${document.numPages} pages`);
  const pages: PdfText[][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    if (items.length > MOST_PIECES) throw new FeedError(`a page has ${items.length} pieces of text`);
    pages.push(
      items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return [];
        const [, , , , x, y] = item.transform.map(Number);
        return { x: x ?? 0, y: y ?? 0, width: item.width, text: item.str.trim() };
      }),
    );
  }
  return pages;
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
