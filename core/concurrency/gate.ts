/** A promise that others await, with the function that resolves it. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Creates a closed gate. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
