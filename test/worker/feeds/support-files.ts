import { utils, write } from '@e965/xlsx';

/** Cells by row; null is a blank cell. */
type Rows = readonly (readonly (string | number | null)[])[];

/** An XLSX workbook of these sheets. */
export function makeXlsx(sheets: Readonly<Record<string, Rows>>): Uint8Array {
  return workbook(sheets, 'xlsx');
}

/** An XLS workbook (Excel 97 to 2003) of these sheets. */
export function makeXls(sheets: Readonly<Record<string, Rows>>): Uint8Array {
  return workbook(sheets, 'biff8');
}

function workbook(sheets: Readonly<Record<string, Rows>>, bookType: 'xlsx' | 'biff8'): Uint8Array {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), name);
  }
  return write(book, { type: 'buffer', bookType, compression: bookType === 'xlsx' });
}

/** A PDF of one page per list, each text with its left end at x and y in points from the lower left corner. */
export function makePdf(
  ...pages: readonly (readonly { x: number; y: number; text: string }[])[]
): Uint8Array {
  const first = 4;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((texts, index) => {
      const content = texts
        .map(
          ({ x, y, text }) => `BT /F1 9 Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`,
        )
        .join('\n');
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * index + 1} 0 R >>`,
        `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** A SOAP 1.1 answer with this XML in its Body. */
export function soapAnswer(body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
}
