/** Items of one key keep the order in which they were added. Keys are served round robin. */
export function createFairQueue<T>() {
  const byKey = new Map<string, Set<{ item: T }>>();
  let size = 0;

  function remove(key: string, entry: { item: T }): void {
    const entries = byKey.get(key);
    if (!entries?.delete(entry)) return;
    size--;
    if (entries.size === 0) byKey.delete(key);
  }

  return {
    get size(): number {
      return size;
    },
    /** Returns a function that removes the item, if it is still there. */
    add(key: string, item: T): () => void {
      const entry = { item };
      const entries = byKey.get(key) ?? new Set();
      byKey.set(key, entries.add(entry));
      size++;
      return () => remove(key, entry);
    },
    /** Removes the next item that passes; undefined if none does. Only tests the first item of each key. */
    take(passes: (item: T, key: string) => boolean = () => true): T | undefined {
      for (const [key, entries] of byKey) {
        const [first] = entries;
        if (!first || !passes(first.item, key)) continue;
        remove(key, first);
        if (byKey.delete(key)) byKey.set(key, entries);
        return first.item;
      }
      return undefined;
    },
  };
}
