/** An array of numbers of one type, such as `Float64Array`. */
export interface TypedArray<T> {
  readonly length: number;
  [index: number]: number;
  set(values: ArrayLike<number>, offset?: number): void;
  subarray(from: number, to: number): T;
}

const SMALLEST_ROOM = 64;

/** Numbers that are appended one by one, in a typed array that doubles whenever it is full. */
export class GrowableArray<T extends TypedArray<T>> {
  readonly #type: new (
    length: number,
  ) => T;
  #values: T;
  #length = 0;

  /** `room`: for how many numbers there is memory from the start. */
  constructor(type: new (length: number) => T, room = 0) {
    this.#type = type;
    this.#values = new type(room);
  }

  get length(): number {
    return this.#length;
  }

  /** What was pushed so far: a view of this array's memory, valid until the next push. */
  get values(): T {
    return this.#values.subarray(0, this.#length);
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
