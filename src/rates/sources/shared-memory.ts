/** The same value with its arrays of numbers in memory that threads share, so that a message does not copy them. */
export function inSharedMemory<T extends object>(value: T): T {
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    ArrayBuffer.isView(field) ? shared(field) : field,
  ]);
  return Object.fromEntries(entries) as T;
}

function shared(view: ArrayBufferView): ArrayBufferView {
  if (view.buffer instanceof SharedArrayBuffer) return view;
  const { buffer, byteOffset, byteLength } = view;
  const memory = new SharedArrayBuffer(byteLength);
  new Uint8Array(memory).set(new Uint8Array(buffer, byteOffset, byteLength));
  const type = view.constructor as new (memory: SharedArrayBuffer) => ArrayBufferView;
  return new type(memory);
}
