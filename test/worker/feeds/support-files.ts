import { createCipheriv, createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createDeflate, deflateSync } from 'node:zlib';
import { CFB, utils, write } from '@e965/xlsx';

/** Cells by row; null is a blank cell. */
type Rows = readonly (readonly (string | number | null)[])[];

/** An XLSX workbook of these sheets, in which rows may be hidden, by their numbers from 1. */
export function makeXlsx(
  sheets: Readonly<Record<string, Rows>>,
  { hidden = [] }: { hidden?: readonly number[] } = {},
): Uint8Array {
  return workbook(sheets, 'xlsx', hidden);
}

/** An XLS workbook (Excel 97 to 2003) of these sheets. */
export function makeXls(sheets: Readonly<Record<string, Rows>>): Uint8Array {
  return workbook(sheets, 'biff8');
}

function workbook(
  sheets: Readonly<Record<string, Rows>>,
  bookType: 'xlsx' | 'biff8',
  hidden: readonly number[] = [],
): Uint8Array {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
    sheet['!rows'] = rows.map((_, at) => ({ hidden: hidden.includes(at + 1) }));
    utils.book_append_sheet(book, sheet, name);
  }
  return write(book, { type: 'buffer', bookType, compression: bookType === 'xlsx' });
}

/** Where the first worksheet of makeXlsx lies. */
export const SHEET = '/xl/worksheets/sheet1.xml';

/** A workbook with one of its parts replaced. */
export function tamper(part: string, content: string | Buffer): Buffer {
  const container = CFB.read(makeXlsx({ S: [['a', 1]] }), { type: 'buffer' });
  CFB.utils.cfb_del(container, part);
  CFB.utils.cfb_add(container, part, Buffer.from(content));
  return CFB.write(container, { fileType: 'zip', type: 'buffer', compression: true });
}

/** A worksheet of these rows, as XML. */
export const worksheet = (rows: string) =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;

interface PdfPiece {
  x: number;
  y: number;
  text: string;
}
type PdfPages = readonly (readonly PdfPiece[])[];

/**
 * A PDF of one page per list, each text with its left end at x and y in points from the lower left corner; encrypted
 * so that the empty password opens it (standard handler V 4, AES of 128 bits) where that is asked for.
 */
export function makePdf(...pages: PdfPages): Uint8Array;
export function makePdf(form: { encrypted: boolean }, ...pages: PdfPages): Uint8Array;
export function makePdf(
  first: { encrypted: boolean } | readonly PdfPiece[],
  ...others: PdfPages
): Uint8Array {
  return 'encrypted' in first ? pdfOf(others, first.encrypted) : pdfOf([first, ...others], false);
}

function pdfOf(pages: PdfPages, encrypted: boolean): Uint8Array {
  const first = 4;
  const lock = encrypted ? pdfLock() : undefined;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((texts, index) => {
      const number = first + 2 * index + 1;
      const plain = texts
        .map(
          ({ x, y, text }) => `BT /F1 9 Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`,
        )
        .join('\n');
      const content = lock ? lock.encrypt(number, plain) : plain;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${number} 0 R >>`,
        `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
      ];
    }),
    ...(lock ? [lock.dictionary] : []),
  ];
  let file = '%PDF-1.6\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const security = lock ? ` /Encrypt ${objects.length} 0 R /ID [${lock.id} ${lock.id}]` : '';
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R${security} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** A PDF of some kilobytes whose page unpacks to half a gigabyte. */
export async function makePdfBomb(): Promise<Uint8Array> {
  const content = (await packedBlanks(512 * 1024 * 1024)).toString('latin1');
  const plain = Buffer.from(makePdf([{ x: 1, y: 1, text: 'x' }])).toString('latin1');
  const bomb = plain
    .replace(/<< \/Length \d+ >>/, `<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >>`)
    .replace(/BT .* ET/, () => content);
  return Buffer.from(bomb, 'latin1');
}

/** So many blanks, packed twice over. */
async function packedBlanks(bytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  const pieces: Buffer[] = [];
  const blanks = Readable.from(Array.from({ length: bytes / piece.length }, () => piece));
  for await (const packed of blanks.pipe(createDeflate({ level: 1 }))) pieces.push(packed);
  return deflateSync(Buffer.concat(pieces));
}

/** ISO 32000-1, 7.6.3: what stands in place of the characters that a password lacks. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const PERMISSIONS = -4;

/** The encryption of a PDF that the empty password opens. */
function pdfLock() {
  const id = Buffer.alloc(16, 7);
  const owner = Buffer.alloc(32, 9);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  let key = md5(PADDING, owner, permissions, id);
  for (let round = 0; round < 50; round++) key = md5(key);
  // The check of the user's password is RC4, which Node may refuse: ours is short.
  let check = rc4(key, md5(PADDING, id));
  for (let round = 1; round < 20; round++)
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`;
  return {
    id: hex(id),
    dictionary: `<< /Filter /Standard /V 4 /R 4 /Length 128 /P ${PERMISSIONS} /O ${hex(owner)} /U ${hex(Buffer.concat([check, Buffer.alloc(16)]))} /CF << /StdCF << /Type /CryptFilter /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >> /StmF /StdCF /StrF /StdCF >>`,
    encrypt(object: number, text: string): string {
      const number = Buffer.from([object & 255, (object >> 8) & 255, (object >> 16) & 255, 0, 0]);
      const start = Buffer.alloc(16, 5);
      const cipher = createCipheriv('aes-128-cbc', md5(key, number, Buffer.from('sAlT')), start);
      return Buffer.concat([start, cipher.update(text, 'latin1'), cipher.final()]).toString('latin1');
    },
  };
}

function md5(...parts: Uint8Array[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function rc4(key: Uint8Array, text: Uint8Array): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index % 256] ?? 0;
  const swap = (one: number, other: number) => {
    [state[one], state[other]] = [at(other), at(one)];
  };
  for (let index = 0, other = 0; index < 256; index++) {
    other = (other + at(index) + (key[index % key.length] ?? 0)) % 256;
    swap(index, other);
  }
  let [one, other] = [0, 0];
  return Buffer.from(text).map((byte) => {
    one = (one + 1) % 256;
    other = (other + at(one)) % 256;
    swap(one, other);
    return byte ^ at(at(one) + at(other));
  }) as Buffer;
}

/** A SOAP 1.1 answer with this XML in its Body. */
export function soapAnswer(body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
}
