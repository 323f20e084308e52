import { parseArgs } from 'node:util';
import { type Config, ConfigError, loadConfig } from '../config/load';
import { GrantRefused } from '../store/grants';
import { openStore } from '../store/open';
import { DatabaseUnreachable } from '../store/postgres/failure';
import { createAccounts, listAllAccounts } from './accounts';
import { checkBooks, checkConfig } from './checks';
import { type Command, type Outcome, UsageError } from './command';
import { addGrant } from './grants';
import { createKey, listKeys, revokeKey } from './keys';

const COMMANDS: readonly Command[] = [createAccounts, listAllAccounts, addGrant, createKey, listKeys, revokeKey, checkBooks, checkConfig];

const EXIT_USAGE = 2;

/** Where a command line runs, and where its answers go. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs the operator's command line, such as `accounts list --json`. Works while a gateway runs.
 * @returns the exit code: 0, 1 for a failure or a fault found, 2 for a mistaken command. Never throws.
 */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const asJson = argv.includes('--json');
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2).join(' ');
  const command = COMMANDS.find((candidate) => candidate.name === words);
  if (argv.length === 0 || argv.includes('--help') || argv.includes('-h')) {
    terminal.out(command ? helpOf(command) : overview());
    return 0;
  }
  if (!command) {
    const message = `There is no command "${words}".`;
    terminal.err(asJson ? `${JSON.stringify({ error: message })}\n` : `${message}\n\n${overview()}`);
    return EXIT_USAGE;
  }
  try {
    const outcome = await run(command, argv, terminal);
    terminal.out(`${asJson ? JSON.stringify(outcome.json) : outcome.text}\n`);
    return outcome.exitCode ?? 0;
  } catch (error) {
    return report(error, command, asJson, terminal);
  }
}

async function run(command: Command, argv: readonly string[], { env, cwd }: Terminal): Promise<Outcome> {
  const options = readOptions(command, argv);
  const config: Config = loadConfig(env, cwd, { secretNeeded: command === checkConfig });
  if ('offline' in command) return command.run({ config, options });
  const store = await openStore(config);
  try {
    return await command.run({ db: store.db, config, options });
  } finally {
    await store.close();
  }
}

function readOptions(command: Command, argv: readonly string[]): Record<string, string | boolean | undefined> {
  const declared = Object.fromEntries(Object.entries(command.options).map(([name, { type }]) => [name, { type }]));
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...argv], options: { ...declared, json: { type: 'boolean' } }, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const [surplus] = parsed.positionals.slice(2);
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many.`);
  const values = parsed.values as Record<string, string | boolean | undefined>;
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && (values[name] === undefined || values[name] === '')) throw new UsageError(`--${name} is missing.`);
  }
  return values;
}

function report(error: unknown, command: Command, asJson: boolean, terminal: Terminal): number {
  const usage = error instanceof UsageError;
  const expected = usage || [GrantRefused, ConfigError, DatabaseUnreachable].some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : String(error);
  if (asJson) terminal.err(`${JSON.stringify({ error: message })}\n`);
  else terminal.err(`${expected ? message : `${command.name} failed: ${message}`}\n${usage ? `See: npm run admin -- ${command.name} --help\n` : ''}`);
  return usage ? EXIT_USAGE : 1;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return ['Usage: npm run admin -- COMMAND [OPTIONS]', '', ...lines, '', 'Each has --help, and --json for scripts. They work while the gateway runs.', ''].join('\n');
}

function helpOf({ name, summary, options }: Command): string {
  const lines = Object.entries({ ...options, json: { type: 'boolean', description: 'Print JSON for scripts' } as const }).map(([option, details]) => {
    const { value, description, required } = { value: undefined, required: false, ...details };
    return `  ${`--${option}${value ? ` ${value}` : ''}`.padEnd(24)}  ${description}${required ? ' (required)' : ''}`;
  });
  return [`Usage: npm run admin -- ${name} [OPTIONS]`, '', summary, '', ...lines, ''].join('\n');
}
