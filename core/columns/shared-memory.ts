/** Zeros in memory that all threads share: a message that contains the array does not copy it. */
export function sharedInt32(length: number): Int32Array {
  return new Int32Array(counted(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT)));
}

/** Zeros in memory that all threads share: a message that contains the array does not copy it. */
export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(counted(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT)));
}

/** The same numbers in shared memory: the array itself if it is there already, else a copy in one that `allocate` returns. */
export function shared<T extends Int32Array | Float64Array>(numbers: T, allocate: (length: number) => T): T {
  if (numbers.buffer instanceof SharedArrayBuffer) {
    counted(numbers.buffer);
    return numbers;
  }
  const copy = allocate(numbers.length);
  copy.set(numbers);
  return copy;
}

/**
 * Makes the garbage collector of this thread count shared memory. V8 leaves it out, so that gigabytes of replaced columns
 * would wait to be collected. It counts an ordinary buffer of the same size, which lives as long. Nothing is written to
 * that buffer, and V8 maps a resizable one from fresh pages, so it takes address space and no memory.
 */
function counted(memory: SharedArrayBuffer): SharedArrayBuffer {
  const { byteLength } = memory;
  return Object.assign(memory, { counts: new ArrayBuffer(byteLength, { maxByteLength: byteLength }) });
}
