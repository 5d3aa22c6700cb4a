/** Returns the number of a name. A new name gets the next one, so that the keys of `names` are in the order of numbers. */
export function numberIn(names: Map<string, number>, name: string): number {
  const number = names.get(name) ?? names.size;
  if (number === names.size) names.set(name, number);
  return number;
}
