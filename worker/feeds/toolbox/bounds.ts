/** Whether a mark occurs in a text, or in its bytes, more often than this. */
export function occursMoreThan(
  text: { indexOf(mark: string, from?: number): number },
  mark: string,
  times: number,
): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    if (++count > times) return true;
  }
  return false;
}
