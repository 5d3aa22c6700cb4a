import process from 'node:process';
import { runTool } from './program.js';

process.stdout.on('error', () => {}); // Thrown where the write is awaited.
const written = () => new Promise((resolve) => process.stdout.write('', resolve));

// What a tool has left open does not keep this process.
process.exit(await runTool(process.argv.slice(2), process).finally(written));
