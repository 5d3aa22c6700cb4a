import { Command, CommanderError } from 'commander';
import { readConfig } from '../../core/process/config.js';
import { StartError } from '../../core/process/start-error.js';
import { useSources } from '../../core/sources/custom-sources.js';
import { addBackup } from './backup.js';
import { addBlend } from './blend.js';
import { addDigest } from './digest.js';
import { addDoctor } from './doctor.js';
import { CommandFailed, EXIT, failureLine, isReaderGone } from './failure.js';
import { addFeed } from './feed.js';
import { addIngest } from './ingest.js';
import { addKeys } from './keys.js';
import { addMigrate } from './migrate.js';
import { addPublish } from './publish.js';
import { addRates } from './rates.js';
import { type CliEnvironment, openSession, type Run, say } from './session.js';
import { addSuspects } from './suspects.js';
import { addVerify } from './verify.js';

/** Exit codes: 0 success, 1 failure, 2 invalid arguments, 78 unusable setting, data folder or schema, 130 stopped. */
export async function runCommandLine(words: readonly string[], around: CliEnvironment): Promise<number> {
  // Errors of a write are thrown where the write is awaited.
  around.stdout.on('error', () => {});
  try {
    // The keys of custom sources are valid arguments.
    useSources(readConfig(around.variables));
    await createProgram(around).parseAsync(words, { from: 'user' });
    return around.stopping.aborted ? EXIT.interrupted : EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (around.stopping.aborted) return EXIT.interrupted;
    if (isReaderGone(error)) return EXIT.ok;
    if (!(error instanceof CommandFailed && error.message === ''))
      say(around, `almanac: ${failureLine(error)}`);
    return error instanceof StartError ? EXIT.cannotStart : EXIT.failed;
  }
}

function createProgram(around: CliEnvironment): Command {
  const run: Run = async (command) => {
    const session = openSession(around);
    try {
      await command(session);
    } catch (error) {
      session.log.debug({ err: error }, 'the command failed');
      throw error;
    }
  };
  const program = new Command('almanac')
    .description('Reads feeds, stores rates and blends them.')
    .usage('<command>   (npm run --silent cli -- <command>)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => around.stdout.write(text),
      writeErr: (text) => around.stderr.write(text),
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', HELP);
  for (const add of COMMANDS) add(program, run);
  return program;
}

const COMMANDS = [
  addFeed,
  addDoctor,
  addIngest,
  addSuspects,
  addRates,
  addBlend,
  addBackup,
  addPublish,
  addKeys,
  addDigest,
  addVerify,
  addMigrate,
];

const HELP = `
Commands that need the database use DATABASE_URL, else the embedded one under DATA_DIR, also while the service runs.
With FEEDS_FROM=<folder> feeds read recordings instead of the banks. LOG_LEVEL=debug shows where an error came from.
docs/configuration.md has all settings.
Exit codes: 0 done, 1 failed, 2 invalid arguments, 78 a setting, DATA_DIR or the database's schema can't be used, 130 stopped by Ctrl-C.

Examples:
  npm run --silent cli -- feed fetch ECB --from 2026-11-02
  npm run --silent cli -- doctor
  npm run --silent cli -- ingest --all
  npm run --silent cli -- rates import rates.csv`;
