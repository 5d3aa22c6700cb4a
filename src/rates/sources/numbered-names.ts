export class NumberedNames {
  readonly #numbers = new Map<string, number>();

  get all(): string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }
}
