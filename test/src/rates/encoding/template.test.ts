import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTemplate, writeTemplate } from '../../../../src/rates/encoding/ascii.js';

const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 200, size: 'max' });

describe('a template', () => {
  it('is written byte for byte, at any position and of any length', () => {
    fc.assert(
      fc.property(ascii, fc.nat(20), (text, at) => {
        const template = createTemplate(text);
        const bytes = Buffer.alloc(at + template.bytes.length, '.');
        const end = writeTemplate(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), at, template);
        expect(end).toBe(at + text.length);
        expect(bytes.toString('latin1', 0, end)).toBe('.'.repeat(at) + text);
      }),
    );
  });

  it('can be changed between two writes', () => {
    const template = createTemplate('on QQQ');
    template.bytes.set(Buffer.from('EUR'), 3);
    const bytes = Buffer.alloc(64);
    writeTemplate(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, template);
    expect(bytes.toString('latin1', 0, template.length)).toBe('on EUR');
  });

  it.each(['Zürich', 'a\u0000b', '\u007f'])('is printable ASCII, unlike %j', (text) => {
    expect(() => createTemplate(text)).toThrow(
      new RangeError(`not printable ASCII: ${JSON.stringify(text)}`),
    );
  });
});
