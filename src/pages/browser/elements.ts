/** Undefined if no element matches. */
export function find<T extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): T | undefined {
  return within.querySelector<T>(selector) ?? undefined;
}

/** Like `find`, for an element that the page always has. */
export function need<T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T {
  const found = find<T>(selector, within);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}
