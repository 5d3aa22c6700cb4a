/** Keys and codes as SQL literals, for COPY, which takes no parameters. Throws a RangeError for any other text. */
export function literals(words: readonly string[]): string {
  return words
    .map((word) => {
      if (!/^[A-Z]{2,16}$/.test(word)) throw new RangeError(`neither a key nor a code: ${word}`);
      return `'${word}'`;
    })
    .join(', ');
}
