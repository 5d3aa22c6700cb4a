interface ArrayType<T> {
  new (memory: SharedArrayBuffer): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** Zeroed, in shared memory: messages between threads do not copy it. */
export function sharedArray<T>(type: ArrayType<T>, length: number): T {
  return new type(counted(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT)));
}

export function inSharedMemory<T extends object>(value: T): T {
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    ArrayBuffer.isView(field) ? shared(field) : field,
  ]);
  return Object.fromEntries(entries) as T;
}

export function shared<T extends ArrayBufferView>(numbers: T): T {
  const { buffer, byteOffset, byteLength } = numbers;
  if (buffer instanceof SharedArrayBuffer) {
    counted(buffer);
    return numbers;
  }
  const memory = counted(new SharedArrayBuffer(byteLength));
  new Uint8Array(memory).set(new Uint8Array(buffer, byteOffset, byteLength));
  return new (numbers.constructor as new (memory: SharedArrayBuffer) => T)(memory);
}

/**
 * Makes V8 count shared memory, which it ignores, so that gigabytes of replaced columns do not wait to be
 * collected. V8 counts this ordinary buffer of the same size and lifetime. It is resizable and never written
 * to, so it takes address space but no memory.
 */
function counted(memory: SharedArrayBuffer & { counts?: ArrayBuffer }): SharedArrayBuffer {
  const { byteLength } = memory;
  memory.counts ??= new ArrayBuffer(byteLength, { maxByteLength: byteLength });
  return memory;
}
