export class NumberedNames {
  readonly #numbers = new Map<string, number>();

  get all(): string[] {
    return [...this.#numbers.keys()];
  }

  /** Returns undefined for a name that was never passed. */
  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }
}
