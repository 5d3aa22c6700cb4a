/** Bundles the styles and scripts of the pages into dist/assets. */
export function buildAssets(): Promise<void>;
