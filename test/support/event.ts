/** Something that a test waits for, and lets happen. */
export function event(): { happen: () => void; happened: Promise<void> } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
}
