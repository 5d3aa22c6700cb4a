/** Calls within `ms` of the start of the work share its result, unless it fails. */
export function sharedFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined;
  const forget = (error: unknown) => {
    last = undefined;
    throw error;
  };
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= ms) last = { at: now, result: work().catch(forget) };
    return last.result;
  };
}
