/** The bytes that a standard Base64 text (RFC 4648, section 4) stands for; undefined where the text is not exactly theirs. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node reads more than it writes: other alphabets, spaces, missing padding.
  return bytes.toString('base64') === text ? bytes : undefined;
}
