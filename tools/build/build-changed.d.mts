export interface Step {
  name: string;
  /** Files and folders. */
  inputs: readonly string[];
  /** A file that exists once the step has run. */
  output: string;
  run(): Promise<void>;
}

/** Runs the steps whose inputs have changed, or whose output is missing. Returns whether any ran. */
export function buildChanged(
  steps: readonly Step[],
  stamps: string,
  onStep?: (name: string) => void,
): Promise<boolean>;
