/** Which other rooms of the same folder a room may import, by the folder and the room. */
export const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
/** What all features of the API share. */
export const SHARED: readonly string[];
declare const settings: { forbidden: readonly { name: string }[] };
export default settings;
