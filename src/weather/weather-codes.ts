import * as z from 'zod';
import { readDataFile } from '../../core/process/project-files.js';

/** WMO table 4677 (present weather), with Open-Meteo's meanings of 0 to 3. The index is the code. */
const descriptions = readDataFile('weather_codes.json', z.array(z.string()).length(100));

/** "Unknown" for null and every number but 0 to 99. */
export function describeWeather(code: number | null): string {
  return (code === null ? undefined : descriptions[code]) ?? 'Unknown';
}
