/** A queue in which those who wait take turns, however many places one of them has. */
export interface FairQueue<T> {
  readonly size: number;
  /** Adds an item of somebody; the returned function takes it out again. */
  add(key: string, item: T): () => void;
  /** Takes the next item that passes; undefined if none does. Of each key only the first item is looked at. */
  take(passes?: (item: T, key: string) => boolean): T | undefined;
}

/** Each key has its items in the order in which they were added; keys come round in turn. */
export function createFairQueue<T>(): FairQueue<T> {
  // In the order of their turns.
  const byKey = new Map<string, Set<{ item: T }>>();
  let size = 0;

  function remove(key: string, entry: { item: T }): void {
    const entries = byKey.get(key);
    if (!entries?.delete(entry)) return;
    size--;
    if (entries.size === 0) byKey.delete(key);
  }

  return {
    get size() {
      return size;
    },
    add(key, item) {
      const entry = { item };
      const entries = byKey.get(key) ?? new Set();
      byKey.set(key, entries.add(entry));
      size++;
      return () => remove(key, entry);
    },
    take(passes = () => true) {
      for (const [key, entries] of byKey) {
        const [first] = entries;
        if (!first || !passes(first.item, key)) continue;
        remove(key, first);
        // Its turn comes again after all others.
        if (byKey.delete(key)) byKey.set(key, entries);
        return first.item;
      }
      return undefined;
    },
  };
}
