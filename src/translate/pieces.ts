export interface PieceLimit {
  sizeOf(text: string): number;
  pieceSize: number;
}

type Cut = (text: string) => string[];

const byWord = new Intl.Segmenter(undefined, { granularity: 'word' });

/** From the best places to cut to the last resort. Each returns parts that, joined, are the text. */
const cuts: readonly Cut[] = [cutBy('sentence'), words, cutBy('grapheme'), (text) => [...text]];

/** As few as possible: cut at sentence ends, else word ends, else between characters. Joined, they are the text. */
export function cutIntoPieces(text: string, limit: PieceLimit, [cut, ...finer] = cuts): string[] {
  if (text === '' || limit.sizeOf(text) <= limit.pieceSize || !cut) return text === '' ? [] : [text];
  const pieces: string[] = [];
  let piece = '';
  let size = 0;
  for (const part of cut(text)) {
    const partSize = limit.sizeOf(part);
    if (size + partSize <= limit.pieceSize) {
      piece += part;
      size += partSize;
      continue;
    }
    if (piece !== '') pieces.push(piece);
    const smaller = cutIntoPieces(part, limit, finer);
    piece = smaller.pop() ?? '';
    size = limit.sizeOf(piece);
    pieces.push(...smaller);
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

function cutBy(granularity: 'sentence' | 'grapheme'): Cut {
  const segmenter = new Intl.Segmenter(undefined, { granularity });
  return (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Each word keeps the blanks and punctuation after it. */
function words(text: string): string[] {
  const parts: string[] = [];
  for (const { segment, isWordLike } of byWord.segment(text)) {
    const last = parts.length - 1;
    if (isWordLike || last < 0) parts.push(segment);
    else parts[last] += segment;
  }
  return parts;
}
