import canonicalize from 'canonicalize';

/** The canonical JSON (RFC 8785) of a value. */
export function canonicalBytes(value: object): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('there is no JSON of it');
  return Buffer.from(text);
}
