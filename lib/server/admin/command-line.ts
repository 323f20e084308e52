import { EXIT_USAGE, UsageError } from '@/lib/command-line/usage-error';
import { ArchiveElsewhere } from '../billing/retention/archive-ledger';
import { dataFolder } from '../config/data-folder';
import { ConfigError, readConfig } from '../config/load';
import { CreditRefused } from '../db/credits';
import { DatabaseOfOtherProfile } from '../db/database-profile';
import { ErasureRefused } from '../db/erase-account';
import { SchemaUnknown } from '../db/migrate';
import { openStore } from '../db/open';
import { DatabaseUnreachable } from '../db/postgres/failure';
import { CopyRefused } from '../db/sqlite/copies';
import { DataFolderInUse } from '../db/sqlite/open';
import { createAccounts, eraseOneAccount, exportOneAccount, listAllAccounts } from './accounts';
import { auditAfter, audited, listAuditLog } from './audit';
import { archiveBooks, checkBooks } from './checks';
import type { Command, Option, Outcome } from './command';
import { checkConfig, explainConfig } from './config';
import { backUpDatabase, markDatabase, restoreDatabase } from './database';
import { runDoctor } from './doctor/doctor';
import { addGrant } from './grants';
import { createKey, listKeys, revokeKey } from './keys';
import { commandWords, GLOBAL_OPTIONS, placesOf, readCommandOptions } from './options';
import { resumePayments, showPayment, showPayments } from './payments';
import { reloadGateways } from './reload';
import { showStatus } from './status';
import { showWithdrawals } from './withdrawals';

const COMMANDS: readonly Command[] = [
  showStatus,
  createAccounts,
  listAllAccounts,
  exportOneAccount,
  eraseOneAccount,
  addGrant,
  createKey,
  listKeys,
  revokeKey,
  showPayments,
  showPayment,
  resumePayments,
  showWithdrawals,
  checkBooks,
  archiveBooks,
  markDatabase,
  backUpDatabase,
  restoreDatabase,
  checkConfig,
  explainConfig,
  runDoctor,
  reloadGateways,
  listAuditLog,
];

interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** Asks the user; absent if there is no terminal. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

/**
 * Runs one of the operator's commands, such as `accounts list --json`. Most work while a gateway runs. Commands that
 * change or export data write to the audit log. With --json, every outcome, even a failure, is one JSON document on
 * standard output.
 * @returns exit code: 0 for success, 1 for a failure or a fault found, 2 for a usage error. Never throws.
 */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const asJson = argv.includes('--json');
  const [first = '', second = ''] = commandWords(argv, COMMANDS);
  const words = `${first} ${second}`.trim();
  const command = COMMANDS.find(({ name }) => name === words || name === first);
  if (argv.length === 0 || argv.includes('--help') || argv.includes('-h')) {
    terminal.out(command ? helpOf(command) : overviewOf(COMMANDS));
    return 0;
  }
  if (!command) {
    const message = `There is no command "${words}".`;
    if (asJson) terminal.out(failure(message));
    else terminal.err(`${message}\n\n${overviewOf(COMMANDS)}`);
    return EXIT_USAGE;
  }
  try {
    const outcome = await run(command, argv, terminal);
    terminal.out(`${asJson ? JSON.stringify(outcome.json) : outcome.text}\n`);
    if (outcome.warning !== undefined) terminal.err(`${outcome.warning}\n`);
    return outcome.exitCode ?? 0;
  } catch (error) {
    return report(error, command, asJson, terminal);
  }
}

async function run(command: Command, argv: readonly string[], { env, cwd, ask }: Terminal): Promise<Outcome> {
  const { options, argument } = readCommandOptions(command, argv);
  // A command that uses the database parses its argument itself. For all other commands, the argument is the
  // configuration file.
  const file = 'offline' in command || 'placeOnly' in command ? argument : undefined;
  if (file !== undefined && options.config !== undefined)
    throw new UsageError('Give the file only once: after the command, or with --config.');
  const places = placesOf(file === undefined ? options : { ...options, config: file }, env.INIT_CWD || cwd);
  if ('placeOnly' in command) return command.run({ dataDir: dataFolder({ ...env, ...places }, cwd) });
  const { config, source } = readConfig({ ...env, ...places }, cwd, { secretNeeded: command.secretNeeded === true });
  if ('offline' in command) {
    const outcome = await command.run({ config, source, options });
    return command.audited ? auditAfter(config, command, options, outcome) : outcome;
  }
  const store = await openStore(config, command);
  try {
    return await audited(store.db, command, { options, argument }, () =>
      command.run({ db: store.db, config, source, options, argument, ask }),
    );
  } finally {
    await store.close();
  }
}

function report(error: unknown, command: Command, asJson: boolean, terminal: Terminal): number {
  const usage = error instanceof UsageError;
  const expected =
    usage ||
    [
      CreditRefused,
      ErasureRefused,
      ArchiveElsewhere,
      ConfigError,
      DatabaseUnreachable,
      DatabaseOfOtherProfile,
      DataFolderInUse,
      CopyRefused,
      SchemaUnknown,
    ].some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : String(error);
  if (asJson)
    terminal.out(
      failure(message, error instanceof ConfigError ? { faults: error.faults, warnings: error.warnings } : {}),
    );
  else
    terminal.err(
      `${expected ? message : `${command.name} failed: ${message}`}\n${usage ? `See: npm run admin -- ${command.name} --help\n` : ''}`,
    );
  return usage ? EXIT_USAGE : 1;
}

function failure(message: string, details: object = {}): string {
  return `${JSON.stringify({ ok: false, error: message, ...details })}\n`;
}

function helpOf({ name, summary, options, argument }: Command): string {
  const about = argument ? [`  ${argument.name.padEnd(24)}  ${argument.description}`] : [];
  return [
    `Usage: npm run admin -- ${name} ${argument ? `[${argument.name}] ` : ''}[OPTIONS]`,
    '',
    summary,
    '',
    ...about,
    ...optionLines({ ...options, ...GLOBAL_OPTIONS }),
    '',
  ].join('\n');
}

function overviewOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: npm run admin -- COMMAND [OPTIONS]',
    '',
    ...lines,
    '',
    'Every command has these options and --help. They work while the gateway runs.',
    '',
    ...optionLines(GLOBAL_OPTIONS),
    '',
  ].join('\n');
}

function optionLines(options: Readonly<Record<string, Option & { short?: string }>>): string[] {
  return Object.entries(options).map(([name, { value, description, required, short }]) => {
    const face = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `  ${face.padEnd(24)}  ${description}${required ? ' (required)' : ''}`;
  });
}
