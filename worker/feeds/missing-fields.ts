/** The names that `read` looks up in a record and does not find, for the message of an error about a missing value. */
export function missingFields<Item>(record: Item, read: (record: Item) => unknown): string[] {
  const missing = new Set<string>();
  try {
    read(watched(record, (name) => missing.add(name)));
  } catch {
    // The record was read before; the error of that reading is the one that counts.
  }
  return [...missing];
}

/** Wraps a value in a proxy that reports each name without a value. */
function watched<Value>(value: Value, onMissing: (name: string) => void): Value {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name) {
      const inner: unknown = Reflect.get(target, name);
      if (inner === undefined && typeof name === 'string') onMissing(name);
      if (typeof inner !== 'function') return watched(inner, onMissing);
      return (...parameters: unknown[]) => {
        const found: unknown = Reflect.apply(inner, target, parameters);
        if (found === undefined && typeof parameters[0] === 'string') onMissing(parameters[0]);
        return found;
      };
    },
  });
}
