import { Command, CommanderError } from 'commander';
import { softwareVersion } from '../../core/process/project-files.js';
import { StartError } from '../../core/process/start-failure.js';
import {
  type CliEnvironment,
  type CommandDefinition,
  CommandFailed,
  EXIT,
  endSession,
  failureLine,
  isReaderGone,
  openSession,
  type Session,
  say,
} from './session.js';

type Load = () => Promise<CommandDefinition>;

const onDatabase = (name: keyof typeof import('./database-commands.js')) => async () =>
  (await import('./database-commands.js'))[name];

/** Each command with what it does. Its module is loaded only if it is named, as most load the libraries of a database. */
const COMMANDS: readonly (readonly [names: string, does: string, load: Load])[] = [
  ['feed', 'read feeds without storing anything', () => import('./feed.js')],
  ['doctor', 'check each source once', () => import('./doctor.js')],
  ['ingest', 'read a bank now, store and blend its rates', () => import('./ingest.js')],
  ['rates', 'import and export rates as CSV', () => import('./rates.js')],
  ['blend', 'blend all history again', onDatabase('blend')],
  ['backup', 'back up all tables of the database into a new folder', onDatabase('backup')],
  ['restore', 'restore a database from a backup, checked by its hashes', onDatabase('restoring')],
  ['publish', 'publish all rates as static files, signed', () => import('./publish.js')],
  ['keys', 'make the key that signs a publication, or rotate it', () => import('./keys.js')],
  ['login-link', "print a link that sets the operators' token", onDatabase('loginLink')],
  ['digest', 'print a digest of all blended rates, to compare databases', onDatabase('digest')],
  [
    'verify|verify-publication',
    'verify the receipt of a rate, or a publication',
    () => import('./verify.js'),
  ],
  ['migrate', 'migrate the database to the schema of this version', onDatabase('migrate')],
  ['healthcheck', 'check that the API or a worker is ready', () => import('./healthcheck.js')],
];

/** Exit codes: 0 success, 1 failure, 2 invalid arguments, 78 unusable setting, data folder or schema, 130 stopped. */
export async function runCommandLine(words: readonly string[], around: CliEnvironment): Promise<number> {
  // Errors of a write are thrown where the write is awaited.
  around.stdout.on('error', () => {});
  try {
    await runCommand(words, around);
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

async function runCommand(words: readonly string[], around: CliEnvironment): Promise<void> {
  const program = createProgram(around);
  let session: Session | undefined;
  for (const [names, does, load] of COMMANDS) {
    const [name = '', alias] = names.split('|');
    const command = program.command(name).description(does);
    if (alias !== undefined) command.alias(alias);
    if (!words.some((word) => word === name || word === alias)) continue;
    session ??= openSession(around);
    if (name !== 'healthcheck') await useOwnSources(session);
    const { help = '', define } = await load();
    define(command.addHelpText('after', help), session);
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) session?.log.debug({ err: error }, 'the command failed');
    throw error;
  } finally {
    if (session) await endSession(session);
  }
}

function createProgram(around: CliEnvironment): Command {
  return new Command('almanac')
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
}

/** Their keys are valid arguments. A health check, which runs every few seconds, needs none. */
async function useOwnSources({ config }: Session): Promise<void> {
  const { useSources } = await import('../../core/sources/custom-sources.js');
  useSources(config);
}

const HELP = `
Commands that need the database use DATABASE_URL, else the embedded one under DATA_DIR, also while the service runs.
With FEEDS_FROM=<folder> feeds read recordings instead of the banks. LOG_LEVEL=debug shows where an error came from.
docs/configuration.md has all settings.
Exit codes: 0 done, 1 failed, 2 invalid arguments, 78 a setting, DATA_DIR or the database's schema can't be used, 130 stopped by Ctrl-C.

Examples:
  npm run --silent cli -- feed fetch ECB --from 2026-11-02
  npm run --silent cli -- doctor
  npm run --silent cli -- ingest ECB
  npm run --silent cli -- rates import rates.csv`;
