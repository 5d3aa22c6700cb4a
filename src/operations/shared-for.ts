/** Calls within `ms` of the start of the work share its result. */
export function sharedFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= ms) last = { at: now, result: work() };
    return last.result;
  };
}
