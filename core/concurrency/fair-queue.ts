/** A queue that serves its keys in turn, however many items each of them has. */
export interface FairQueue<T> {
  readonly size: number;
  /** Adds an item under a key. The returned function removes it. */
  add(key: string, item: T): () => void;
  /** Removes and returns the next item that passes; undefined if none does. Only the first item of each key is tested. */
  take(passes?: (item: T, key: string) => boolean): T | undefined;
}

/** Items of one key keep the order in which they were added. Keys are served round robin. */
export function createFairQueue<T>(): FairQueue<T> {
  // Keys in the order of their turns.
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
        // Moves the key to the end of the round.
        if (byKey.delete(key)) byKey.set(key, entries);
        return first.item;
      }
      return undefined;
    },
  };
}
