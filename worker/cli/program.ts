import { Command, CommanderError } from 'commander';
import { readConfig } from '../../core/process/config.js';
import { softwareVersion } from '../../core/process/project-files.js';
import { StartError } from '../../core/process/start-error.js';
import { CommandFailed, EXIT, failureLine, isReaderGone } from './failure.js';
import { type CliEnvironment, openSession, type Run, say } from './session.js';

/** Adds the arguments, the options and the action to a command. */
type Define = (command: Command, run: Run) => void;

/** Each command with what it does. Its module is loaded only if it is named, as most load the libraries of a database. */
const COMMANDS: Readonly<
  Record<string, readonly [does: string, load: () => Promise<Define>, alias?: string]>
> = {
  feed: ['read feeds without storing anything', async () => (await import('./feed.js')).defineFeed],
  doctor: [
    'check each source once, and explain failures',
    async () => (await import('./doctor.js')).defineDoctor,
  ],
  ingest: [
    'read one bank or all of them now, store their rates and blend them',
    async () => (await import('./ingest.js')).defineIngest,
  ],
  suspects: [
    'print rates that are held back from the blend, newest first, or decide on one',
    async () => (await import('./suspects.js')).defineSuspects,
  ],
  rates: ['import and export rates as CSV', async () => (await import('./rates.js')).defineRates],
  blend: [
    'blend all history again, or the rows of a JSON file as of a day',
    async () => (await import('./blend.js')).defineBlend,
  ],
  backup: [
    'back up all tables of the database into a new folder, and check the backup',
    async () => (await import('./backup.js')).defineBackup,
  ],
  restore: [
    'restore a database from a backup, checked by its hashes and digest',
    async () => (await import('./backup.js')).defineRestore,
  ],
  publish: [
    'publish all rates as static files, signed',
    async () => (await import('./publish.js')).definePublish,
  ],
  keys: [
    'make the key that signs a publication, or rotate it',
    async () => (await import('./keys.js')).defineKeys,
  ],
  digest: [
    'print a digest of all blended rates, to compare them after an import, a restore or a rebuild',
    async () => (await import('./digest.js')).defineDigest,
  ],
  verify: [
    'verify the receipt of a rate, or a publication',
    async () => (await import('./verify.js')).defineVerify,
    'verify-publication',
  ],
  migrate: [
    'migrate the database to the schema of this version',
    async () => (await import('./migrate.js')).defineMigrate,
  ],
  healthcheck: [
    'check that the API is ready, or a worker: for containers',
    async () => (await import('./healthcheck.js')).defineHealthcheck,
  ],
};

/** Exit codes: 0 success, 1 failure, 2 invalid arguments, 78 unusable setting, data folder or schema, 130 stopped. */
export async function runCommandLine(words: readonly string[], around: CliEnvironment): Promise<number> {
  // Errors of a write are thrown where the write is awaited.
  around.stdout.on('error', () => {});
  try {
    const program = await createProgram(words, around);
    await program.parseAsync(words, { from: 'user' });
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

async function createProgram(words: readonly string[], around: CliEnvironment): Promise<Command> {
  const run: Run = async (command) => {
    const session = openSession(around);
    try {
      await command(session);
    } catch (error) {
      session.log.debug({ err: error }, 'the command failed');
      throw error;
    } finally {
      session.progress.stop();
    }
  };
  const program = new Command('almanac')
    .description('Reads feeds, stores rates and blends them.')
    .usage('<command>   (npm run --silent cli -- <command>)')
    .version(softwareVersion)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => around.stdout.write(text),
      writeErr: (text) => around.stderr.write(text),
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', HELP);
  for (const [name, [does, load, alias]] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(does);
    if (alias !== undefined) command.alias(alias);
    if (!words.some((word) => word === name || word === alias)) continue;
    if (name !== 'healthcheck') await useOwnSources(around);
    const define = await load();
    define(command, run);
  }
  return program;
}

/** Their keys are valid arguments. A health check, which runs every few seconds, needs none. */
async function useOwnSources({ variables }: CliEnvironment): Promise<void> {
  const { useSources } = await import('../../core/sources/custom-sources.js');
  useSources(readConfig(variables));
}

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
