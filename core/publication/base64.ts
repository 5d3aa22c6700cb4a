/** RFC 4648, section 4. Undefined if the text is not the exact encoding of its bytes. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder is lenient: it accepts other alphabets, spaces and missing padding.
  return bytes.toString('base64') === text ? bytes : undefined;
}
