import { UsageError } from '@/lib/command-line/usage-error';
import { hostname, userInfo } from 'node:os';
import { beginAudit, listAudit } from '../db/audit-log';
import { openStore, type StorePlace } from '../db/open';
import type { Database } from '../db/schema';
import type { Command, Context, Outcome, StoreCommand } from './command';
import { text, wholeNumber } from './options';
import { table } from './table';

const LIMIT = 50;
const LIMIT_MAX = 10_000;

export const listAuditLog: StoreCommand = {
  name: 'audit list',
  summary: 'List the commands of operators, newest first, with actor, time and outcome',
  options: {
    limit: { type: 'string', value: 'COUNT', description: `Maximum entries to list; ${LIMIT} by default` },
    command: { type: 'string', value: 'NAME', description: 'Only of this command, such as "grants add"' },
    before: { type: 'string', value: 'ID', description: 'Only entries older than this id' },
  },
  run: async ({ db, options }) => {
    const entries = await listAudit(db, {
      limit: wholeNumber(options, 'limit', LIMIT_MAX) ?? LIMIT,
      command: text(options, 'command'),
      before: wholeNumber(options, 'before', Number.MAX_SAFE_INTEGER),
    });
    const shown = entries.map(({ at, endedAt, arguments: given, ...entry }) => ({
      ...entry,
      at: new Date(at).toISOString(),
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
      arguments: JSON.parse(given) as Record<string, string | boolean>,
    }));
    const rows = shown.map(({ id, at, actor, command, arguments: given, outcome, detail }) => [
      String(id),
      at,
      actor,
      command,
      JSON.stringify(given),
      outcome,
      detail,
    ]);
    return {
      text: table(
        ['ID', 'AT', 'WHO', 'COMMAND', 'ARGUMENTS', 'OUTCOME', 'ABOUT'],
        rows,
        'No operator command has run yet.',
      ),
      json: { entries: shown },
    };
  },
};

const WITHHELD = '[withheld]';

interface Given {
  options: Context['options'];
  argument?: string | undefined;
}

/**
 * Runs a command, and logs its beginning and outcome if the audit log covers it. If its beginning cannot be logged, the
 * command does not run. If its outcome cannot be logged, the result has a warning.
 */
export async function audited(
  db: Database,
  command: Command,
  given: Given,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!command.audited) return run();
  const end = await beginAudit(db, {
    actor: whoAmI(),
    command: command.name,
    arguments: JSON.stringify(toldOf(command, given)),
  });
  let outcome: Outcome;
  try {
    outcome = await run();
  } catch (error) {
    // The log omits a usage error's message, which may repeat personal data.
    await end(
      error instanceof UsageError ? 'refused' : 'failed',
      error instanceof UsageError ? '' : error instanceof Error ? error.name : 'Error',
    ).catch(() => undefined);
    throw error;
  }
  try {
    await end('done', outcome.about ?? '');
    return outcome;
  } catch (error) {
    return unrecorded(outcome, error);
  }
}

function unrecorded(outcome: Outcome, error: unknown): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    ...outcome,
    exitCode: 1,
    warning: `The command succeeded, but the audit log could not record its outcome: ${reason}. Do not repeat the command.`,
  };
}

/** Records in the new database's audit log that a command replaced the database. */
export async function auditAfter(
  place: StorePlace,
  command: Command,
  options: Context['options'],
  outcome: Outcome,
): Promise<Outcome> {
  try {
    const store = await openStore(place);
    try {
      return await audited(store.db, command, { options }, () => Promise.resolve(outcome));
    } finally {
      await store.close();
    }
  } catch (error) {
    return unrecorded(outcome, error);
  }
}

/** Records a reload. The actor is the gateway, because a signal does not identify its sender. */
export async function auditReload(
  db: Database,
  { ok, changed }: { ok: boolean; changed: readonly string[] },
): Promise<void> {
  const end = await beginAudit(db, {
    actor: `gateway@${hostname()}`,
    command: 'reload',
    arguments: JSON.stringify({ changed: changed.join(', ') }),
  });
  await end(ok ? 'done' : 'refused', '');
}

/** Under sudo, names the user who ran sudo. */
function whoAmI(): string {
  const name = process.env.SUDO_USER || nameOfUser();
  return `${name}@${hostname()}`;
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

function toldOf(command: Command, { options, argument }: Given): Record<string, string | boolean> {
  const told = Object.entries(command.options).flatMap(([name, { personal }]) => {
    const value = options[name];
    return value === undefined ? [] : [[name, personal ? WITHHELD : value] as const];
  });
  // Logs only an id, because any other argument may be a wallet address.
  const word =
    argument === undefined
      ? []
      : [[command.argument?.name ?? 'argument', /^\d{1,16}$/.test(argument) ? argument : WITHHELD] as const];
  return Object.fromEntries([...told, ...word]);
}
