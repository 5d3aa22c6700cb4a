/** An array of numbers whose memory threads can share. */
type SharedArray = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** The numbers in memory that threads share: the same array where it is there already, else a copy. */
export function shared<T extends SharedArray>(values: T): T {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const type = values.constructor as new (buffer: SharedArrayBuffer) => T;
  const copy = new type(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}
