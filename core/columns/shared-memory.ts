/** A type of arrays in shared memory, such as `Int32Array`. */
interface ArrayType<T> {
  new (memory: SharedArrayBuffer): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** A zeroed array in shared memory. Messages between threads do not copy it. */
export function sharedArray<T>(type: ArrayType<T>, length: number): T {
  return new type(counted(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT)));
}

/** The value with its typed arrays moved to shared memory. All other fields are unchanged. */
export function inSharedMemory<T extends object>(value: T): T {
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    ArrayBuffer.isView(field) ? shared(field) : field,
  ]);
  return Object.fromEntries(entries) as T;
}

/** The numbers in shared memory: the array itself if it is already shared, else a copy. */
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
 * Makes the garbage collector of this thread count shared memory. V8 ignores it, so gigabytes of replaced columns would wait
 * to be collected. V8 does count an ordinary buffer of the same size and lifetime. Nothing is written to that buffer, and V8
 * maps a resizable buffer from fresh pages, so it takes address space but no memory.
 */
function counted(memory: SharedArrayBuffer & { counts?: ArrayBuffer }): SharedArrayBuffer {
  const { byteLength } = memory;
  memory.counts ??= new ArrayBuffer(byteLength, { maxByteLength: byteLength });
  return memory;
}
