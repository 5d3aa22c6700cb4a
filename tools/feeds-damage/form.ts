/** What a body is, whatever its content type says. */
export type BodyKind = 'json' | 'xml' | 'html' | 'csv' | 'workbook' | 'binary' | 'none';

/** Finds out what a body is from its first bytes. Text is read as Latin-1, which gives every byte back as it was. */
export function kindOf(bytes: Uint8Array): BodyKind {
  const start = latin1(bytes.subarray(0, 2000))
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (bytes.length === 0) return 'none';
  if (start.startsWith('PK') || bytes[0] === 0xd0) return 'workbook';
  if (start.startsWith('%PDF') || start.includes('\0')) return 'binary';
  if (/^[[{]/.test(start)) return 'json';
  if (/^<\?xml/i.test(start) && !/<html/i.test(start)) return 'xml';
  if (
    /^<(?!!doctype|html|head|body|div|table|h\d|script|meta|p\b|ul|section|link|style|span|!--)/i.test(start)
  )
    return 'xml';
  return start.startsWith('<') ? 'html' : 'csv';
}

/** The bytes as text, one character a byte. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** A change to text as one to bytes. */
export function toBytes(change: Change): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => Buffer.from(change(latin1(bytes)), 'latin1');
}

/** A kind of body, as a set of changes; undefined for one that it does not allow. All take and give Latin-1 text. */
export interface BodyForm {
  /** The text as this form writes it back without any change. */
  same(text: string): string;
  /** Every number, as it is printed, changed to another text. */
  numbersChanged(text: string, change: Change): string;
  /** Every text changed, numbers among them. */
  textsChanged(text: string, change: Change): string;
  /** The names by which the source's fields or columns are known. */
  names(text: string): string[];
  renamed(text: string, names: ReadonlySet<string>): string;
  /** The fields or columns of these names left out. */
  removed(text: string, names: ReadonlySet<string>): string;
  /** Two columns exchanged with their headings (the last two), or the first two without theirs. */
  swapped?(text: string, headings: 'with headings' | 'without headings'): string;
  /** One more column, of prices, at this place. */
  inserted?(text: string, at: 0 | 1): string;
  /** With the first and last records alone, for one that takes long to read. */
  shortened?(text: string): string;
  /** Numbers printed as texts, and texts that are numbers as numbers. */
  retyped?(text: string): string;
  /** Another namespace for the same names. */
  renamespaced?(text: string): string;
  /** One record of notes among the others. */
  noted(text: string): string;
  /** The records of each list, in another order or number. */
  recordsChanged(text: string, change: <Item>(records: Item[]) => Item[]): string;
}

/** The first and last items of a long list. */
export function endsOf<Item>(items: readonly Item[], most: number): Item[] {
  return items.length <= most ? [...items] : [...items.slice(0, most / 2), ...items.slice(-most / 2)];
}

export type Change = (value: string) => string;
