export interface TypedArray<T> {
  readonly length: number;
  [index: number]: number;
  set(values: ArrayLike<number>, offset?: number): void;
  subarray(from: number, to: number): T;
}

const SMALLEST_ROOM = 64;

/** A typed array that supports appending. Its capacity doubles when it is full. */
export class GrowableArray<T extends TypedArray<T>> {
  readonly #type: new (
    length: number,
  ) => T;
  #values: T;
  #length = 0;

  constructor(type: new (length: number) => T, capacity = 0) {
    this.#type = type;
    this.#values = new type(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** A view of this array's memory, valid until the next push. */
  get values(): T {
    return this.#values.subarray(0, this.#length);
  }

  inOrder(indices: Uint32Array): T {
    const copy = new this.#type(indices.length);
    for (let index = 0; index < indices.length; index++) copy[index] = this.#values[indices[index] ?? 0] ?? 0;
    return copy;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow();
    this.#values[this.#length++] = value;
  }

  #grow(): void {
    const longer = new this.#type(Math.max(SMALLEST_ROOM, this.#length * 2));
    longer.set(this.#values);
    this.#values = longer;
  }
}
