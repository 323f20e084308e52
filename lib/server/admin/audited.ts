import { hostname, userInfo } from 'node:os';
import { beginAudit } from '../db/audit-log';
import { openStore, type StorePlace } from '../db/open';
import type { Database } from '../db/schema';
import { type Command, type Context, type Outcome, UsageError } from './command';

const WITHHELD = '[withheld]';

interface Given {
  options: Context['options'];
  argument?: string | undefined;
}

/**
 * Runs a command, written down before and after where it is one that the audit log has: what cannot be written down is
 * not done. One that is broken off between stays in the log as begun.
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
  try {
    const outcome = await run();
    await end('done', outcome.about ?? '');
    return outcome;
  } catch (error) {
    // Sentences of mistaken calls repeat what was typed.
    await end(
      error instanceof UsageError ? 'refused' : 'failed',
      error instanceof UsageError ? '' : error instanceof Error ? error.name : 'Error',
    ).catch(() => undefined);
    throw error;
  }
}

/** The same for what has put a database in its place: written into that one. */
export async function auditAfter(
  place: StorePlace,
  command: Command,
  options: Context['options'],
  outcome: Outcome,
): Promise<void> {
  const store = await openStore(place);
  try {
    await audited(store.db, command, { options }, () => Promise.resolve(outcome));
  } finally {
    await store.close();
  }
}

/** Writes a reload of the configuration down, by whatever it was told: a command, or a signal, which says not by whom. */
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

/** Who types, as the system has it: with sudo, who called it. */
function whoAmI(): string {
  const name = process.env.SUDO_USER || nameOfUser();
  return `${name}@${hostname()}`;
}

/** A user without an entry, as in containers, by number. */
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
  // An id is no secret; anything else after a command's name may be a wallet.
  const word =
    argument === undefined
      ? []
      : [[command.argument?.name ?? 'argument', /^\d{1,16}$/.test(argument) ? argument : WITHHELD] as const];
  return Object.fromEntries([...told, ...word]);
}
