/**
 * The fields that `read` asks of a record and does not find: of an object's keys, and of the elements and attributes
 * of XML. For the message of an error that knows only that a value is missing.
 */
export function missingFields<Item>(record: Item, read: (record: Item) => unknown): string[] {
  const missing = new Set<string>();
  try {
    read(watched(record, (name) => missing.add(name)));
  } catch {
    // The record has been read before, and what was thrown then is the error.
  }
  return [...missing];
}

/** The value, which tells of each name that it has nothing under. */
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
