/** A duration in milliseconds as `3.2 s`, and from a minute on as `2 min 5 s`. */
export function elapsedText(ms: number, decimals = 1): string {
  if (ms < 59_500) return `${(ms / 1_000).toFixed(decimals)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
