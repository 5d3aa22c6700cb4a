type Composite = Readonly<Record<string, unknown>>;

export function isComposite(value: unknown): value is Composite {
  return typeof value === 'object' && value !== null;
}

/** Compares all members, also inner ones. `path` comes before their names. Throws a RangeError for the first difference. */
export function checkMembers(path: string, computed: object, stated: object): void {
  for (const key of new Set([...Object.keys(computed), ...Object.keys(stated)])) {
    const [one, other] = [memberOf(computed, key), memberOf(stated, key)];
    if (isComposite(one) && isComposite(other)) checkMembers(`${path}${key}.`, one, other);
    else checkSame(`${path}${key}`, one, other);
  }
}

/** Throws a RangeError if the values differ. Not for objects. */
export function checkSame(path: string, computed: unknown, stated: unknown): void {
  if (!Object.is(computed, stated))
    throw new RangeError(`${path}: ${show(stated)} is stated, ${show(computed)} is computed`);
}

/** Ignores members that every object inherits. */
function memberOf(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Composite)[key] : undefined;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
