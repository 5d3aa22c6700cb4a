/** The first difference; undefined if they are equal. */
export function differenceOf(path: string, computed: unknown, stated: unknown): string | undefined {
  if (!isComposite(computed) || !isComposite(stated)) {
    return Object.is(computed, stated) ? undefined : statedAndComputed(path, stated, computed);
  }
  for (const key of new Set([...Object.keys(computed), ...Object.keys(stated)])) {
    const inner = path === '' ? key : `${path}.${key}`;
    const found = differenceOf(inner, memberOf(computed, key), memberOf(stated, key));
    if (found) return found;
  }
  return undefined;
}

export function statedAndComputed(path: string, stated: unknown, computed: unknown): string {
  return `${path}: ${show(stated)} is stated, ${show(computed)} is computed`;
}

type Composite = Readonly<Record<string, unknown>>;

export function isComposite(value: unknown): value is Composite {
  return typeof value === 'object' && value !== null;
}

/** Ignores members that every object inherits. */
function memberOf(value: Composite, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
