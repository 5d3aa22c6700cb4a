import { Command, CommanderError } from 'commander';
import { readConfig } from '../../core/process/config.js';
import { StartError } from '../../core/process/start-error.js';
import { useSources } from '../../core/sources/custom-sources.js';
import { addBackup } from './backup.js';
import { addBlendCompute } from './blend-compute.js';
import { addBlendRebuild } from './blend-rebuild.js';
import { addDigest } from './digest.js';
import { addDoctor } from './doctor.js';
import { CommandFailed, EXIT, failureLine, isReaderGone } from './failure.js';
import { addFeedFetch } from './feed-fetch.js';
import { addFeedList } from './feed-list.js';
import { addFeedRecord } from './feed-record.js';
import { addFeedReplay } from './feed-replay.js';
import { addIngest } from './ingest.js';
import { addKeys } from './keys.js';
import { addMigrate } from './migrate.js';
import { addPublish } from './publish.js';
import { addRatesExport } from './rates-export.js';
import { addRatesImport } from './rates-import.js';
import { addRestore } from './restore.js';
import { type CliEnvironment, openSession, type Run, say } from './session.js';
import { addSetAside } from './set-aside.js';
import { addSuspects } from './suspects.js';
import { addUpgradeDatabase } from './upgrade-database.js';
import { addVerify } from './verify.js';
import { addVerifyPublication } from './verify-publication.js';

/**
 * Runs one command line, without the name of the program. Returns the exit code: 0 success, 1 failure with one line on
 * standard error, 2 invalid arguments, 78 an unusable setting, data folder or database schema, 130 stopped by a signal.
 */
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
  const feed = program.command('feed').description('read feeds without storing anything');
  addFeedList(feed, run);
  addFeedFetch(feed, run);
  addFeedRecord(feed, run);
  addFeedReplay(feed, run);
  addDoctor(program, run);
  addIngest(program, run);
  addSetAside(program, run);
  addSuspects(program, run);
  const rates = program.command('rates').description('import and export rates as CSV');
  addRatesImport(rates, run);
  addRatesExport(rates, run);
  const blend = program.command('blend').description('blend rates');
  addBlendRebuild(blend, run);
  addBlendCompute(blend, run);
  addBackup(program, run);
  addRestore(program, run);
  addPublish(program, run);
  addDigest(program, run);
  addVerify(program, run);
  addKeys(program, run);
  addVerifyPublication(program, run);
  addMigrate(program, run);
  addUpgradeDatabase(program, run);
  return program;
}

const HELP = `
Commands that need the database use DATABASE_URL, else the embedded one under DATA_DIR, also while the service runs.
With SOURCES_DIR=<folder> your own sources are providers too (docs/custom-sources.md), and with PROVIDERS_EXCEPT=BDL,BM these are none.
With FEEDS_FROM=<folder> feeds read recordings instead of the banks. LOG_LEVEL=debug shows where an error came from.
Exit codes: 0 done, 1 failed, 2 invalid arguments, 78 a setting, DATA_DIR or the database's schema can't be used, 130 stopped by Ctrl-C.

Examples:
  npm run --silent cli -- feed list
  npm run --silent cli -- feed fetch ECB --from 2026-11-02
  npm run --silent cli -- doctor
  npm run --silent cli -- ingest --all
  npm run --silent cli -- rates import rates.csv`;
